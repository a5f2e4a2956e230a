import type { ModulesContainer } from '@nestjs/core';

/**
 * The provider of a token that an app may be without, from any of its modules: the one that
 * `app.get(token, { strict: false })` finds, which for a missing one logs an ERROR with a stack
 * before it throws. Undefined also for providers of request or transient scope.
 */
export function optionalProvider<T extends object>(
  modules: ModulesContainer,
  token: symbol | (new (...args: never[]) => T),
): T | undefined {
  const found = [...modules.values()].flatMap(({ providers }) => providers.get(token) ?? []).at(-1);
  if (found === undefined || found.isTransient || !found.isDependencyTreeStatic()) return undefined;
  return found.instance as T;
}
