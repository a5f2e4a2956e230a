import type { ModulesContainer } from '@nestjs/core';

/** Every object that a module of the app provides as a singleton, each once. */
export function singletonsOf(modules: ModulesContainer): readonly object[] {
  const found = new Set<object>();
  for (const { providers } of modules.values()) {
    for (const wrapper of providers.values()) {
      if (wrapper.isAlias || wrapper.isTransient || !wrapper.isDependencyTreeStatic()) continue;
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
