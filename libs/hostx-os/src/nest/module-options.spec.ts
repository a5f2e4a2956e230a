import { describe, expect, it } from '@jest/globals';
import type { DynamicModule } from '@nestjs/common';
import {
  type ConfigurableModule,
  optionsIn,
  waysToConfigure,
} from '../../../../tools/testing/module-options.js';
import { SystemdModule } from './systemd.module.js';
import { SYSTEMD_OPTIONS } from './tokens.js';

interface Face {
  readonly name: string;
  readonly module: ConfigurableModule<object>;
  readonly token: symbol;
  readonly method: string;
  readonly options: object;
  readonly beside: DynamicModule[];
  /** Without an argument; nothing where something is required. */
  readonly bare: () => DynamicModule[];
}

const MODULES: Face[] = [
  {
    name: 'SystemdModule',
    module: SystemdModule,
    token: SYSTEMD_OPTIONS,
    method: 'createSystemdOptions',
    options: { extendTimeouts: false },
    beside: [],
    bare: () => [SystemdModule.forRoot()],
  },
];

describe.each(MODULES)('$name', ({ module, token, method, options, beside }) => {
  it.each(waysToConfigure(module, method, options))(
    'takes its options by %s',
    async (_, definition) => {
      expect(await optionsIn([...beside, definition], token)).toMatchObject(options);
      expect(definition.global).toBe(true);
    },
  );

  it('is local with isGlobal: false', () => {
    expect(module.forRoot({ ...options, isGlobal: false }).global).toBe(false);
    expect(module.forRootAsync({ useFactory: () => options, isGlobal: false }).global).toBe(false);
  });
});

describe('forRoot()', () => {
  const bare = MODULES.flatMap(({ name, token, bare }) =>
    bare().map((definition) => ({ name, token, definition })),
  );

  it.each(bare)('of $name takes no argument', async ({ token, definition }) => {
    expect(await optionsIn([definition], token)).toEqual({});
  });
});
