import { AsyncLocalStorage } from 'node:async_hooks';
import type { UnitOfWork, Work } from './work.js';

/** The work under way. */
// Why: docs/decisions/0092
export const storage = new AsyncLocalStorage<Work>();

/** The unit of work under way; undefined outside of any. */
export function unitInContext(): UnitOfWork | undefined {
  return storage.getStore()?.unit;
}
