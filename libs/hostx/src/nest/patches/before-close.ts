import { replaceMethod } from './replace-method.js';

/** The part of an HTTP adapter with which `app.close()` begins. */
interface Closable {
  beforeClose?(): unknown;
}

/**
 * Runs `stop` as the very first thing of `app.close()`, before the hooks of the app, for which Nest has no
 * hook: services stop while their dependencies still work. Undone as soon as it has run. Does nothing if
 * adapters have no `beforeClose`, as with Nest 11.
 */
export function stopBeforeClose(adapter: object, stop: () => Promise<void>): void {
  const closable: Closable = adapter;
  if (closable.beforeClose === undefined) return;
  // Why: docs/decisions/0053
  const undo = replaceMethod(adapter, 'beforeClose', async () => {
    undo();
    await stop();
    await closable.beforeClose?.();
  });
}

/** The same for an app without HTTP adapter, of which `close()` begins with that of its server. */
export function stopBeforeServerClose(server: object, stop: () => Promise<void>): void {
  const closable = server as { close(): unknown };
  const undo = replaceMethod(server, 'close', async () => {
    undo();
    await stop();
    await closable.close();
  });
}
