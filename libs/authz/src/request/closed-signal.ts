/** An object that closes once: a response, a socket, the client of a WebSocket. */
export interface Ending {
  once(event: string, listener: () => void): unknown;
  readonly destroyed?: boolean | undefined;
}

const signals = new WeakMap<Ending, AbortSignal>();

/**
 * Aborts when something ends. One signal, and one listener, however often it is asked for: a socket
 * has any number of messages.
 *
 * @param event with which it says so.
 */
export function closedSignal(ending: Ending, event: string): AbortSignal {
  const known = signals.get(ending);
  if (known !== undefined) return known;
  const controller = new AbortController();
  if (ending.destroyed === true) controller.abort();
  else ending.once(event, () => controller.abort());
  signals.set(ending, controller.signal);
  return controller.signal;
}
