import type { ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';

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
  return found === undefined || !isSingleton(found) ? undefined : (found.instance as T);
}

/** Whether a provider is made once, before the app runs. */
export function isSingleton(
  wrapper: Pick<InstanceWrapper, 'isTransient' | 'isDependencyTreeStatic'>,
): boolean {
  return !wrapper.isTransient && wrapper.isDependencyTreeStatic();
}

/** Every object that a module of the app provides as a singleton, each once. */
export function singletonsOf(modules: ModulesContainer): readonly object[] {
  const found = new Set<object>();
  for (const { providers } of modules.values()) {
    for (const wrapper of providers.values()) {
      if (wrapper.isAlias || !isSingleton(wrapper)) continue;
      const instance: unknown = wrapper.instance;
      if (typeof instance === 'object' && instance !== null) found.add(instance);
    }
  }
  return [...found];
}

/** Whether an object has a class of this name, of whichever copy and version of its package. */
export function isNamed(instance: object, name: string): boolean {
  return instance.constructor?.name === name;
}

/** Whether all of these are methods of an object. */
export function hasMethods<K extends string>(
  instance: object,
  ...names: readonly K[]
): instance is Record<K, (...args: never[]) => unknown> {
  return names.every((name) => typeof (instance as Record<string, unknown>)[name] === 'function');
}
