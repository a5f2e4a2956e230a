import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { beforeClose, hasFinished, pipedInto } from './bound-events.js';
import { onConnectionLost } from './waiting-responses.js';

/** How a response, or a connection that was handed over, ended. */
export interface ResponseEnd {
  /** The status that was sent, or 499 if the caller disconnected before, or 500 if the server gave up. */
  readonly status: number;
  /** Whether the status was sent. */
  readonly isSent: boolean;
  /** The side that ended a response before it was complete; undefined if it is complete. */
  readonly cut: 'caller' | 'server' | undefined;
  /**
   * The error because of which the server ended it: that with which the response was destroyed, or that of the
   * stream that was piped into it. Undefined if it is unknown or the server did not end it.
   */
  readonly error?: unknown;
}

/** Called once when a response has ended. */
export interface EndObserver {
  responseEnded(end: ResponseEnd): void;
}

/** The status that nginx made customary for a caller that went away. */
export const CLIENT_CLOSED_REQUEST = 499;

const ENDING = Symbol.for('apix.calls.ResponseEnding');

type Watched = ServerResponse & { [ENDING]?: WatchedEnd };

/**
 * Reports once, when a response is finished or its connection is gone, before any listener of `close`. All who
 * watch one response are called in the order in which they came.
 */
export function onResponseEnd(res: Watched, socket: Socket, observer: EndObserver): void {
  const ending = res[ENDING];
  if (ending !== undefined) {
    ending.observers.push(observer);
    return;
  }
  const own = (res[ENDING] = new WatchedEnd(res, socket, observer));
  beforeClose(res, finish);
  // A response of HTTP/2 closes only when its request is over too.
  (res as MaybeStream).stream?.once('finish', () => own.finish());
  // A pipelined response waits for its turn; it is not notified when the connection ends before it
  // has been assigned to the response.
  if (res.socket === null) own.stopWaiting = onConnectionLost(socket, () => own.finish());
}

function finish(this: Watched): void {
  this[ENDING]!.finish();
}

/** One object a response, and functions that all share: a closure each would cost more. */
class WatchedEnd {
  readonly observers: EndObserver[];
  stopWaiting: (() => void) | undefined;
  #isDone = false;

  constructor(
    private readonly res: ServerResponse,
    private readonly socket: Socket,
    observer: EndObserver,
  ) {
    this.observers = [observer];
  }

  finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.stopWaiting?.();
    const { res } = this;
    const cut = cutBy(res, this.socket);
    // A pipelined response that was never given its connection has sent nothing; one that is finished has
    // given it back.
    const wasGiven = this.stopWaiting === undefined || res.socket !== null || res.writableFinished;
    const isSent = res.headersSent && wasGiven;
    const status = isSent ? res.statusCode : unsentStatus(res, cut);
    const error = cut === 'server' ? errorOf(res) : undefined;
    const end: ResponseEnd = { status, isSent, cut, error };
    for (const observer of this.observers) observer.responseEnded(end);
  }
}

function cutBy(res: ServerResponse, socket: Socket): ResponseEnd['cut'] {
  if (isAbortedStream(res)) return res.writableFinished ? 'caller' : 'server';
  // Node takes a destroyed response whose `end` is called later for a finished one.
  const isDestroyed = wasDestroyed(res) && !hasFinished(res);
  if (res.statusCode === 101 || (res.writableFinished && !isDestroyed)) return undefined;
  const isCaller = socket.readableEnded || socket.errored !== null;
  return isCaller && !isDestroyed ? 'caller' : 'server';
}

function errorOf(res: MaybeStream): unknown {
  const { errored } = (pipedInto(res) ?? {}) as { readonly errored?: unknown };
  return res.errored ?? res.stream?.errored ?? errored ?? undefined;
}

type MaybeStream = ServerResponse & { readonly stream?: Duplex & { readonly aborted?: boolean } };

/**
 * A stream of HTTP/2 that was left or destroyed before its end. Node finishes the writable side of
 * one that the caller has left, and does not of one that the app destroys.
 */
function isAbortedStream(res: MaybeStream): boolean {
  return res.stream?.aborted === true;
}

/** By the app. From Node 24 on, Node itself does it to a response whose connection is gone. */
function wasDestroyed({ errored }: ServerResponse): boolean {
  if (!errored) return false;
  return !('code' in errored && errored.code === 'ECONNRESET');
}

function unsentStatus(res: ServerResponse, cut: ResponseEnd['cut']): number {
  if (cut === 'caller') return CLIENT_CLOSED_REQUEST;
  return cut === 'server' ? 500 : res.statusCode;
}
