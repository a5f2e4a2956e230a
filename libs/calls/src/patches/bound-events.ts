import type { EventEmitter } from 'node:events';

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

/** Calls `closed` before the listeners of `close`, which it is no listener of: adding one to each response costs. */
export function beforeClose(emitter: Emitter, closed: () => void): void {
  watchedEvents(emitter).closed = closed;
}

/** The last stream that was piped into the emitter; undefined if there was none since it is watched. */
export function pipedInto(emitter: Emitter): unknown {
  return emitter[EVENTS]?.source;
}

/** Whether the emitter has emitted `finish` since it is watched. */
export function hasFinished(emitter: Emitter): boolean {
  return emitter[EVENTS]?.isFinished ?? false;
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
  closed: (() => void) | undefined;
  source: unknown;
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
