import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const EVENTS = Symbol.for('apix.calls.WatchedEvents');

/** A context in which the listeners of a request run, such as that of its logger or its span. */
export interface EventContext {
  /** Whether the current code runs in it, or in a part of it. */
  readonly isActive: boolean;
  run(emit: () => boolean): boolean;
}

/** Those of an emitter's `emit`. */
export type EmitArguments = [event: string | symbol, ...args: unknown[]];
type EmitMethod = (this: object, ...args: EmitArguments) => boolean;

type Emitter = Pick<EventEmitter, 'emit' | 'listenerCount'> & { [EVENTS]?: WatchedEvents };

/**
 * Makes listeners run in a request's context. Node emits the events of a connection, such as the parts of a
 * body, in the context in which the connection was opened, which has no request.
 */
export function bindEvents(emitter: Emitter, eventContext: EventContext): void {
  const events = watchedEvents(emitter);
  if (events.outermost === undefined) events.outermost = eventContext;
  else (events.inner ??= []).push(eventContext);
}

function watchedEvents(emitter: Emitter): WatchedEvents {
  const known = emitter[EVENTS];
  if (known !== undefined) return known;
  const events = new WatchedEvents(emitter.emit as EmitMethod);
  emitter[EVENTS] = events;
  emitter.emit = emitWatched;
  return events;
}

/** One object an emitter, and a function that all share: a closure each would cost more. */
class WatchedEvents {
  outermost: EventContext | undefined;
  inner: EventContext[] | undefined;
  /** Called before the listeners of `close`, which it is no listener of: adding one to each response costs. */
  closed: (() => void) | undefined;
  /** The last stream that was piped into the emitter since it is watched. */
  source: unknown;
  /** Whether it has emitted `finish` since it is watched. */
  isFinished = false;

  constructor(readonly emit: EmitMethod) {}
}

function emitWatched(this: Emitter, ...args: EmitArguments): boolean {
  const events = this[EVENTS]!;
  const [event] = args;
  if (event === 'close') events.closed?.call(this);
  else if (event === 'finish') events.isFinished = true;
  else if (event === 'pipe') events.source = args[1];
  const { emit, outermost, inner } = events;
  if (
    outermost === undefined ||
    this.listenerCount(event) === 0 ||
    // In a part of it something of its own may be under way, which stays.
    (inner === undefined && outermost.isActive)
  ) {
    return emit.apply(this, args);
  }
  return emitWithin([outermost, ...(inner ?? [])], this, args);
}

/** Apart from {@link emitWatched}, most of whose events need no closure. */
function emitWithin(
  contexts: readonly EventContext[],
  emitter: Emitter,
  args: EmitArguments,
): boolean {
  const { emit } = emitter[EVENTS]!;
  return within(contexts, 0, () => emit.apply(emitter, args));
}

function within(contexts: readonly EventContext[], index: number, emit: () => boolean): boolean {
  const eventContext = contexts[index];
  if (eventContext === undefined) return emit();
  return eventContext.isActive
    ? within(contexts, index + 1, emit)
    : eventContext.run(() => within(contexts, index + 1, emit));
}

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

type Watched = ServerResponse & { [ENDING]?: WatchedEnd; [EVENTS]?: WatchedEvents };

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
  watchedEvents(res).closed = finish;
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
    private readonly res: Watched,
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

function cutBy(res: Watched, socket: Socket): ResponseEnd['cut'] {
  if (isAbortedStream(res)) return res.writableFinished ? 'caller' : 'server';
  // Node takes a destroyed response whose `end` is called later for a finished one.
  const isDestroyed = wasDestroyed(res) && res[EVENTS]?.isFinished !== true;
  if (res.statusCode === 101 || (res.writableFinished && !isDestroyed)) return undefined;
  const isCaller = socket.readableEnded || socket.errored !== null;
  return isCaller && !isDestroyed ? 'caller' : 'server';
}

function errorOf(res: MaybeStream): unknown {
  const { errored } = (res[EVENTS]?.source ?? {}) as { readonly errored?: unknown };
  return res.errored ?? res.stream?.errored ?? errored ?? undefined;
}

type MaybeStream = Watched & { readonly stream?: Duplex & { readonly aborted?: boolean } };

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

const WAITING = Symbol.for('apix.calls.WaitingResponses');

type WatchedSocket = Socket & { [WAITING]?: Set<() => void> };

/**
 * Calls `lost` when the connection ends, until the function that it returns is called. All that
 * wait on a connection share one listener: a caller may pipeline any number of requests.
 */
function onConnectionLost(socket: WatchedSocket, lost: () => void): () => void {
  let waiting = socket[WAITING];
  if (waiting === undefined) {
    const all = new Set<() => void>();
    socket.once('close', () => {
      for (const each of all) each();
    });
    waiting = socket[WAITING] = all;
  }
  waiting.add(lost);
  return () => void waiting.delete(lost);
}
