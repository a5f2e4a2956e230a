import { describe, expect, it } from '@jest/globals';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/** An option that no module has. */
const MISSPELT = 'xyzzy';

/** What a Nest module of ours offers to be configured. */
export interface ConfigurableModule<T extends object> {
  forRoot(options: T & { readonly isGlobal?: boolean }): DynamicModule;
  forRootAsync(options: {
    readonly useFactory?: () => T;
    readonly useClass?: Type;
    readonly isGlobal?: boolean;
  }): DynamicModule;
}

/** Every way to give the same options to a module, each with what it is. */
export function waysToConfigure<T extends object>(
  module: ConfigurableModule<T>,
  factoryMethod: string,
  options: T,
): readonly (readonly [way: string, definition: DynamicModule])[] {
  class Factory {}
  Object.defineProperty(Factory.prototype, factoryMethod, { value: () => options });
  return [
    ['forRoot', module.forRoot(options)],
    ['forRootAsync with useFactory', module.forRootAsync({ useFactory: () => options })],
    ['forRootAsync with useClass', module.forRootAsync({ useClass: Factory })],
  ];
}

/** The options that an app with these modules has under a token, once it is initialised where `init` says so. */
async function optionsIn(
  imports: (DynamicModule | Type)[],
  token: symbol,
  init = false,
): Promise<unknown> {
  @Module({ imports })
  class App {}
  const app = await NestFactory.create(App, { logger: false, abortOnError: false });
  try {
    if (init) await app.init();
    return app.get<unknown>(token, { strict: false });
  } finally {
    await app.close();
  }
}

/** One module, and what a table of tests has to know of it. */
export interface ModuleFace {
  readonly name: string;
  readonly module: ConfigurableModule<object>;
  readonly token: symbol;
  readonly method: string;
  readonly options: object;
  readonly beside: DynamicModule[];
  /** Without an argument; nothing where something is required. */
  readonly bare: () => DynamicModule[];
}

/** Describes what holds for the options of every module of ours. */
export function describeModules(modules: readonly ModuleFace[]): void {
  describe.each(modules)('$name', ({ module, token, method, options, beside }) => {
    it.each(waysToConfigure(module, method, options))(
      'takes its options by %s',
      async (_, definition) => {
        expect(await optionsIn([...beside, definition], token)).toMatchObject(options);
        expect(definition.global).toBe(true);
      },
    );

    it.each(waysToConfigure(module, method, { ...options, [MISSPELT]: 1 }))(
      'refuses an option that it does not know, by %s',
      async (_, definition) => {
        await expect(optionsIn([...beside, definition], token, true)).rejects.toThrow(
          `${MISSPELT}: is not known here`,
        );
      },
    );

    it('refuses a name that forRootAsync does not know', () => {
      const misspelt = { useFactory: () => options, [MISSPELT]: 1 };
      expect(() => module.forRootAsync(misspelt)).toThrow(`${MISSPELT}: is not known here`);
    });

    it('refuses a factory that returns nothing', async () => {
      const definition = module.forRootAsync({ useFactory: () => undefined as unknown as object });
      await expect(optionsIn([...beside, definition], token)).rejects.toThrow(
        'options must be an object, not undefined',
      );
    });

    it('is local with isGlobal: false', () => {
      const useFactory = (): object => options;
      expect(module.forRoot({ ...options, isGlobal: false }).global).toBe(false);
      expect(module.forRootAsync({ useFactory, isGlobal: false }).global).toBe(false);
    });
  });

  const bare = modules.flatMap(({ name, token, bare }) =>
    bare().map((definition) => ({ name, token, definition })),
  );

  for (const { name, token, definition } of bare) {
    it(`forRoot() of ${name} takes no argument`, async () => {
      expect(await optionsIn([definition], token)).toEqual({});
    });
  }
}
