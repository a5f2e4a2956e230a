import type { ModulesContainer } from '@nestjs/core';
import { STATIC_CONTEXT } from '@nestjs/core/injector/constants.js';
import {
  callAppShutdownHook,
  callBeforeAppShutdownHook,
  callModuleDestroyHook,
} from '@nestjs/core/hooks/index.js';

/** Runs the hooks that `app.close()` runs, in its order, where the app itself is out of reach. */
export async function runShutdownHooks(container: ModulesContainer): Promise<void> {
  const modules = [...container.values()].toSorted((a, b) => a.distance - b.distance);
  for (const call of [callModuleDestroyHook, callBeforeAppShutdownHook, callAppShutdownHook]) {
    for (const module of modules) await call(module);
  }
}

/**
 * Whether providers are still being created. Asks nothing of a provider that Nest would remember, such as
 * whether it is static.
 */
export function isBeingCreated(container: ModulesContainer): boolean {
  return [...container.values()].some(({ providers, controllers, injectables }) =>
    [...providers.values(), ...controllers.values(), ...injectables.values()].some((wrapper) => {
      const { isPending, isResolved } = wrapper.getInstanceByContextId(STATIC_CONTEXT);
      return isPending === true && isResolved !== true;
    }),
  );
}

/** Whether the app is one of `Test.createTestingModule()`, whose process is the test runner's. */
export function isTestingModule(container: ModulesContainer): boolean {
  return [...container.values()].some(({ name }) => name === 'RootTestModule');
}
