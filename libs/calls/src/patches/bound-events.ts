import type { EventEmitter } from 'node:events';

const BOUND = Symbol.for('apix.calls.BoundEvents');

/** A context in which the listeners of a request run, such as that of its logger or its span. */
export interface EventContext {
  /** Whether the current code runs in it, or in a part of it. */
  readonly isActive: boolean;
  run(emit: () => boolean): boolean;
}

type EmitMethod = (this: object, event: string | symbol, ...args: unknown[]) => boolean;

interface Bound {
  /** The first one is the outermost. */
  readonly contexts: EventContext[];
  readonly emit: EmitMethod;
}

type Emitter = Pick<EventEmitter, 'emit' | 'listenerCount'> & { [BOUND]?: Bound };

/**
 * Makes listeners run in a request's context. Node emits the events of a connection, such as the parts of a
 * body, in the context in which the connection was opened, which has no request.
 */
export function bindEvents(emitter: Emitter, eventContext: EventContext): void {
  const bound = emitter[BOUND];
  if (bound !== undefined) {
    bound.contexts.push(eventContext);
    return;
  }
  const { emit } = emitter as unknown as { readonly emit: EmitMethod };
  emitter[BOUND] = { contexts: [eventContext], emit };
  emitter.emit = emitBound;
}

function emitBound(this: Emitter, event: string | symbol, ...args: unknown[]): boolean {
  const { contexts, emit } = this[BOUND]!;
  return this.listenerCount(event) === 0
    ? emit.call(this, event, ...args)
    : within(contexts, 0, () => emit.call(this, event, ...args));
}

function within(contexts: readonly EventContext[], index: number, emit: () => boolean): boolean {
  const eventContext = contexts[index];
  if (eventContext === undefined) return emit();
  // An inner context of the request may be active, which stays.
  return eventContext.isActive
    ? within(contexts, index + 1, emit)
    : eventContext.run(() => within(contexts, index + 1, emit));
}
