import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';

type Status = Parameters<ServerInterceptingCallInterface['sendStatus']>[0];

/** Hears of every status that is about to be sent. */
export interface StatusWatcher {
  /** @returns the status to send instead. */
  onStatus(status: Status): Status;
}

const WATCHER = Symbol('apix.calls.StatusWatcher');

interface Watched {
  [WATCHER]?: StatusWatcher;
  sendStatus(status: Status): void;
  /** On grpc-js' own calls: whether there is no caller left to send a status to. */
  checkCancelled?(): boolean;
}

/** A call of grpc-js as an interceptor may get it: the one of the connection, or one around it. */
type CallLayer = ServerInterceptingCallInterface & {
  readonly nextCall?: ServerInterceptingCallInterface;
};

/**
 * Makes a watcher see every status that ends a call of grpc-js, which refuses messages by a method of the call
 * that interceptors get last, and reports to them only that the call is over.
 *
 * It replaces `sendStatus` of this one call and lasts as long as the call; it is one function for all of
 * them, as a closure for each would cost every good call.
 */
export function watchStatus(call: ServerInterceptingCallInterface, watcher: StatusWatcher): void {
  let base: CallLayer = call;
  while (base.nextCall !== undefined) base = base.nextCall;
  const watched: Watched = base;
  watched[WATCHER] = watcher;
  watched.sendStatus = watchedSendStatus;
}

function watchedSendStatus(this: Watched, status: Status): void {
  if (this.checkCancelled?.() === true) return;
  const own = Object.getPrototypeOf(this) as Watched;
  own.sendStatus.call(this, this[WATCHER]!.onStatus(status));
}
