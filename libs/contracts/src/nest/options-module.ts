import {
  ConfigurableModuleBuilder,
  type ConfigurableModuleHost,
  type DynamicModule,
  type Provider,
} from '@nestjs/common';
import { type Mistakes, OptionsError } from '../mistakes.js';
import { shownValue } from '../shown-value.js';
import { anyValue, callable, FLAG } from '../options/option-kinds.js';
import { checkedOptions, type ReadOptions } from '../options/option-table.js';
import { checkedFactory } from './checked-factory.js';

/** The extra that every module of ours has. */
export interface ModuleExtras {
  /** Whether the exports of the module are available without an import. Default: true. */
  readonly isGlobal?: boolean;
}

/** The same of any module, whatever it says of undefined. */
type AnyExtras = { readonly [K in keyof ModuleExtras]?: ModuleExtras[K] | undefined };

/** What {@link optionsModule} needs. */
export interface OptionsModule<F extends string, E extends AnyExtras> {
  /** The package and the module, for mistakes: `cron: CronModule`. */
  readonly name: string;
  /** Provides the options. */
  readonly token: symbol;
  /** The method of a factory class, for `useClass` and `useExisting`. */
  readonly factoryMethod: F;
  /** Further names of options that concern the module's definition. Default: only `isGlobal`. */
  readonly extras?: readonly (keyof E & string)[];
  /** Changes the definition by the extras. Default: `isGlobal` is its `global`. */
  readonly define?: (definition: DynamicModule, extras: E) => DynamicModule;
}

const ASYNC_TABLE = {
  imports: anyValue(),
  inject: anyValue(),
  provideInjectionTokensFrom: anyValue(),
  useClass: anyValue(),
  useExisting: anyValue(),
  useFactory: callable(),
};

/**
 * The base of a module with `forRoot` and `forRootAsync`, by Nest's ConfigurableModuleBuilder. A name that
 * `forRootAsync` does not know is refused: Nest would ignore it. A factory that returns no object keeps the app
 * from starting.
 */
export function optionsModule<O, F extends string, E extends AnyExtras = ModuleExtras>({
  name,
  token,
  factoryMethod,
  extras = [],
  define = globally,
}: OptionsModule<F, E>): ConfigurableModuleHost<O, 'forRoot', F, E> {
  const host = new ConfigurableModuleBuilder<O>({ optionsInjectionToken: token })
    .setClassMethodName('forRoot')
    .setFactoryMethodName(factoryMethod)
    .setExtras<E>({ isGlobal: true, ...named(extras, undefined) } as E, (definition, given) =>
      define(withCheckedResult(definition, token, name), given),
    )
    .build();
  const table = { ...ASYNC_TABLE, isGlobal: FLAG, ...named(extras, anyValue()) };
  const base = host.ConfigurableModuleClass;
  const { forRoot, forRootAsync } = base;
  base.forRoot = function forRootChecked(options) {
    // Nest would fail where it reads them, with an error that names no module.
    if (typeof options !== 'object' || options === null) {
      const found = `options must be an object, not ${shownValue(options)}`;
      throw new OptionsError(`${name}.forRoot`, [found]);
    }
    return forRoot.call(this, options);
  };
  base.forRootAsync = function forRootAsyncChecked(options) {
    checkedOptions(
      table,
      options,
      (found) => new OptionsError(`${name}.forRootAsync`, found),
      refuseNoSource,
    );
    return forRootAsync.call(this, options);
  };
  return host;
}

function withCheckedResult(
  { providers = [], ...definition }: DynamicModule,
  token: symbol,
  name: string,
): DynamicModule {
  const checked = (provider: Provider): Provider => {
    if (!('useFactory' in provider) || provider.provide !== token) return provider;
    return { ...provider, useFactory: checkedFactory(name, provider.useFactory) };
  };
  return { ...definition, providers: providers.map(checked) };
}

function named<T>(names: readonly string[], value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

function refuseNoSource(
  { useClass, useExisting, useFactory }: ReadOptions<typeof ASYNC_TABLE>,
  mistakes: Mistakes,
): void {
  if (useClass ?? useExisting ?? useFactory) return;
  mistakes.add('', 'needs useFactory, useClass or useExisting');
}

function globally(definition: DynamicModule, { isGlobal = true }: AnyExtras): DynamicModule {
  return { ...definition, global: isGlobal };
}
