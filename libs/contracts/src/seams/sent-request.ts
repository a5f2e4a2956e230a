/** On the global object, so that all installed copies ask the same one. */
const WATCH = Symbol.for('apix.RequestWatch');

/** A request of HTTP that a part of apix sends by itself, such as for the keys of an identity provider. */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  /** Set by the sender once the answer has begun. */
  status?: number;
}

/** Runs the function that sends a request, and returns its result. */
export type RequestWatch = <T>(request: SentRequest, send: () => Promise<T>) => Promise<T>;

const shared = globalThis as typeof globalThis & { [WATCH]?: RequestWatch };

/**
 * Called by a tracer: from now on {@link sendWatched} goes through it.
 *
 * @returns a function that undoes it.
 */
export function offerRequestWatch(watch: RequestWatch): () => void {
  const before = shared[WATCH];
  shared[WATCH] = watch;
  return () => {
    if (shared[WATCH] !== watch) return;
    if (before === undefined) delete shared[WATCH];
    else shared[WATCH] = before;
  };
}

/** Sends a request that others may watch. */
export function sendWatched<T>(request: SentRequest, send: () => Promise<T>): Promise<T> {
  const watch = shared[WATCH];
  return watch === undefined ? send() : watch(request, send);
}
