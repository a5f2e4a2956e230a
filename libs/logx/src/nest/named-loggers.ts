import type { DynamicModule, Provider } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { Logger } from '../logger/logger.js';
import { ContextLogger } from './context-logger.js';
import { injectedNames, onInjectedName } from './inject-logger.decorator.js';
import { LOGX_LOGGER, loggerToken } from './tokens.js';

/**
 * Adds a provider for each name of `@InjectLogger`. Nest reads them when it scans the module: all classes
 * are declared by then, but maybe not when `forRoot` is called.
 */
export function withNamedLoggers(definition: DynamicModule): DynamicModule {
  const { providers = [], exports = [] } = definition;
  const named = (): Provider[] =>
    injectedNames().map((name) => ({
      provide: loggerToken(name),
      inject: [LOGX_LOGGER],
      useFactory: (logger: Logger) => new ContextLogger(logger, name),
    }));
  return {
    ...definition,
    get providers() {
      return [...providers, ...named()];
    },
    get exports() {
      return [...exports, ...injectedNames().map((name) => loggerToken(name))];
    },
  };
}

/**
 * Adds a provider for each name that a class uses after the scan, such as those of lazily loaded modules:
 * their files are imported, and so decorated, while the app runs.
 *
 * @param instance of the module that exports the named loggers.
 * @returns a function that ends this.
 */
export function followNames(modules: ModulesContainer, instance: object, root: Logger): () => void {
  const own = [...modules.values()].find(
    (module) => module.metatype === instance.constructor && module.instance === instance,
  );
  if (own === undefined) return () => {};
  const addMissing = (): void => {
    for (const name of injectedNames()) {
      const provide = loggerToken(name);
      if (own.providers.has(provide)) continue;
      own.addProvider({ provide, useValue: new ContextLogger(root, name) });
      own.addExportedProviderOrModule(provide);
    }
  };
  addMissing();
  return onInjectedName(addMissing);
}
