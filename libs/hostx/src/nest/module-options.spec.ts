import { describe, expect, it } from '@jest/globals';
import type { DynamicModule } from '@nestjs/common';
import { z } from 'zod';
import {
  type ConfigurableModule,
  optionsIn,
  waysToConfigure,
} from '../../../../tools/testing/module-options.js';
import { ConfigurationModule } from './configuration.module.js';
import { HealthModule } from './health/health.module.js';
import { HostxModule } from './hostx.module.js';
import { HostPageModule } from './page/host-page.module.js';
import {
  CONFIGURATION_OPTIONS,
  HEALTH_OPTIONS,
  HOSTX_OPTIONS,
  HOST_PAGE_OPTIONS,
} from './tokens.js';

/** The page needs to be told who may see it, which is not among the options that can be async. */
const page: ConfigurableModule<{ title?: string }> = {
  forRoot: (options) => HostPageModule.forRoot({ ...options, public: true }),
  forRootAsync: (options) => HostPageModule.forRootAsync({ ...options, public: true }),
};

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
    name: 'HostxModule',
    module: HostxModule,
    token: HOSTX_OPTIONS,
    method: 'createHostxOptions',
    options: { shutdownTimeout: '7s' },
    beside: [],
    bare: () => [HostxModule.forRoot()],
  },
  {
    name: 'ConfigurationModule',
    module: ConfigurationModule,
    token: CONFIGURATION_OPTIONS,
    method: 'createConfigurationOptions',
    options: { schema: z.object({}), env: {} },
    beside: [],
    bare: () => [],
  },
  {
    name: 'HealthModule',
    module: HealthModule,
    token: HEALTH_OPTIONS,
    method: 'createHealthOptions',
    options: { readyPath: '/ready' },
    beside: [],
    bare: () => [HealthModule.forRoot()],
  },
  {
    name: 'HostPageModule',
    module: page,
    token: HOST_PAGE_OPTIONS,
    method: 'createHostPageOptions',
    options: { title: 'Shop' },
    beside: [HostxModule.forRoot()],
    bare: () => [],
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
