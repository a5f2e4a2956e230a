import { type Clock, systemClock } from './clock.js';

/**
 * Calls `listener` with the signal's reason once it aborts, at once if it has. The returned
 * function takes the listener away again: call it where the signal outlives the work.
 */
export function onAbort(signal: AbortSignal, listener: (reason: unknown) => void): () => void {
  const call = (): void => listener(signal.reason);
  if (signal.aborted) {
    call();
    return () => {};
  }
  const all = listenersOf(signal);
  all.add(call);
  return () => {
    if (all.delete(call) && all.size === 0) stopListening(signal);
  };
}

/** The listeners of a signal, and the one event listener that calls them. */
interface Audience {
  readonly all: Set<() => void>;
  readonly notify: () => void;
}

/**
 * One listener for each signal: Node warns of a leak from the eleventh on, also where a caller's signal
 * is that of eleven calls under way, and takes longer to add each one.
 */
const audiences = new WeakMap<AbortSignal, Audience>();

function listenersOf(signal: AbortSignal): Set<() => void> {
  const known = audiences.get(signal);
  if (known !== undefined) return known.all;
  const all = new Set<() => void>();
  const notify = (): void => {
    audiences.delete(signal);
    for (const listener of all) runApart(listener);
  };
  // Throws for a value that is not a signal, so that it is not remembered as one.
  signal.addEventListener('abort', notify, { once: true });
  audiences.set(signal, { all, notify });
  return all;
}

function stopListening(signal: AbortSignal): void {
  const audience = audiences.get(signal);
  if (audience === undefined) return;
  audiences.delete(signal);
  signal.removeEventListener('abort', audience.notify);
}

/**
 * An error of one listener is thrown in a later turn, as for any event listener, and the others are still
 * called.
 */
function runApart(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

/** Resolves when the signal aborts, at once if it has. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => void onAbort(signal, () => resolve()));
}

/**
 * Resolves or rejects with the work, or rejects with the signal's reason if the signal aborts first. The
 * work itself goes on; a late failure of it is dropped.
 */
export async function orAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let forget = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    forget = onAbort(signal, (reason) => reject(reason));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    forget();
  }
}

/** Resolves after `ms` milliseconds, or as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal, clock: Clock = systemClock): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const forget = onAbort(signal, () => {
      cancel();
      resolve();
    });
    const cancel = clock.after(ms, () => {
      forget();
      resolve();
    });
  });
}

/**
 * Whether the thrown value only reports that this signal stopped the work: its reason, an error caused by
 * it, or an AbortError. Never throws, whatever was thrown.
 */
export function isAbortOf(signal: AbortSignal, thrown: unknown): boolean {
  if (!signal.aborted) return false;
  const reason: unknown = signal.reason;
  if (thrown === reason) return true;
  if (thrown === undefined || thrown === null) return false;
  try {
    const { name, cause } = thrown as { readonly name?: unknown; readonly cause?: unknown };
    return name === 'AbortError' || (cause !== undefined && cause === reason);
  } catch {
    return false;
  }
}

/** A signal that follows others. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  /** Aborts the signal itself; the others are not touched. */
  abort(reason?: unknown): void;
  /** Stops following. Needed where one of the others outlives the work. */
  dispose(): void;
}

/**
 * A signal that aborts with the first of the given ones, for its reason. Unlike `AbortSignal.any` it leaves
 * nothing behind on a long-lived signal once it is disposed of; `AbortSignal.any` of Node 20 does.
 */
export function linkAbort(...signals: readonly AbortSignal[]): LinkedAbort {
  const controller = new AbortController();
  const abort = (reason?: unknown): void => controller.abort(reason);
  const forget = signals.map((signal) => onAbort(signal, abort));
  return {
    signal: controller.signal,
    abort,
    dispose: () => {
      for (const each of forget) each();
    },
  };
}
