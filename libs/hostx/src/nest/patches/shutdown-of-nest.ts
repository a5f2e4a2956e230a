import type { ModulesContainer } from '@nestjs/core';
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

/** Whether the app is one of `Test.createTestingModule()`, whose process is the test runner's. */
export function isTestingModule(container: ModulesContainer): boolean {
  return [...container.values()].some(({ name }) => name === 'RootTestModule');
}
