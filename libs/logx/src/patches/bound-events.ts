import type { EventEmitter } from 'node:events';
import { requestInContext, runWork } from '../context/logger-context.js';
import type { Work } from '../context/work.js';

const BOUND = Symbol.for('apix.logx.BoundEvents');

type EmitMethod = (this: object, event: string | symbol, ...args: unknown[]) => boolean;

interface Bound {
  readonly work: Work;
  readonly emit: EmitMethod;
}

type Emitter = Pick<EventEmitter, 'emit' | 'listenerCount'> & { [BOUND]?: Bound };

/**
 * Has listeners run in a request's context. Node emits what comes from a connection, such as the
 * parts of a body, in the context in which the connection was made, which knows no request.
 */
export function bindEvents(emitter: Emitter, work: Work): void {
  const { emit } = emitter as unknown as { readonly emit: EmitMethod };
  emitter[BOUND] = { work, emit };
  emitter.emit = emitBound;
}

function emitBound(this: Emitter, event: string | symbol, ...args: unknown[]): boolean {
  const { work, emit } = this[BOUND]!;
  // In the request a logger of its own may be under way, which stays.
  return this.listenerCount(event) === 0 || requestInContext() === work.request
    ? emit.call(this, event, ...args)
    : runWork(work, () => emit.call(this, event, ...args));
}
