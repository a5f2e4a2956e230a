import { Inject } from '@nestjs/common';
import { loggerToken } from './tokens.js';

const names = new Set<string>();
const listeners = new Set<() => void>();

/** The names that have been used so far, in all apps of the process. */
export function injectedNames(): readonly string[] {
  return [...names];
}

/**
 * Calls `listener` for each name that was not used before.
 *
 * @returns a function that removes the listener.
 */
export function onInjectedName(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Injects a {@link Logger} with the name in its field `logger`. Its events within a request or another unit
 * of work have the id of that work.
 *
 * @param name Default: the name of the class that it is injected into.
 */
export function InjectLogger(name?: string): ParameterDecorator & PropertyDecorator {
  return (target: object, key: string | symbol | undefined, index?: number) => {
    const owner = typeof target === 'function' ? target : target.constructor;
    const logger = name ?? owner.name;
    if (!names.has(logger)) {
      names.add(logger);
      for (const listener of listeners) listener();
    }
    const inject = Inject(loggerToken(logger));
    if (index === undefined) inject(target, key ?? '');
    else inject(target, key, index);
  };
}
