import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import { toLevel } from '../levels/level.js';
import type { ReadRequestLevel, RequestLevel } from '../request/request-level.js';

const REQUEST_LOG = Symbol.for('apix.logx.RequestLog');

/** An app that never uses the decorator need not look for it at each request. */
let isUsed = false;

/**
 * Sets the level of the events of the requests that a handler, or all handlers of a class, answers
 * well, `@RequestLog('debug')`; warnings and errors keep theirs. `@RequestLog('off')` leaves out
 * these events, whatever the outcome; what handlers log is logged, and so is a failure that nobody
 * threw on purpose. A handler's decorator goes before that of its class.
 *
 * For HTTP and gRPC handlers, those of routes of a gateway in the same process included. What is
 * denied before Nest has chosen a handler has the usual level.
 *
 * @throws RangeError for anything that is not a level.
 */
export function RequestLog(level: RequestLevel): ClassDecorator & MethodDecorator {
  const read: ReadRequestLevel = level === 'off' ? 'off' : toLevel(level);
  isUsed = true;
  return SetMetadata(REQUEST_LOG, read);
}

/** What the decorators of a handler and its class say; undefined where there are none. */
export function routeLevelOf(context: ExecutionContext): ReadRequestLevel | undefined {
  if (!isUsed) return undefined;
  return metadataOf(context.getHandler()) ?? metadataOf(context.getClass());
}

function metadataOf(target: object): ReadRequestLevel | undefined {
  return Reflect.getMetadata(REQUEST_LOG, target) as ReadRequestLevel | undefined;
}
