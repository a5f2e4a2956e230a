import { handlerReached, type RouteHandler } from '@apix/calls/internal-nest';
import { OptionsError } from '@apix/contracts';
import { anyValue, checkedOptions, type OptionTable } from '@apix/contracts/internal';
import { SetMetadata } from '@nestjs/common';
import { toLevel } from '../levels/level.js';
import type { ReadRequestLevel, RequestLevel } from '../request/request-level.js';
import type { RequestRecord } from '../request/request-record.js';
import { SAMPLE_COUNT } from '../request/request-sample.js';

const REQUEST_LOG = Symbol.for('apix.logx.RequestLog');

/** The options of `@RequestLog`. */
export interface RequestLogOptions {
  /** The level of successful requests, or `off`. Default: that of any request. */
  readonly level?: RequestLevel | undefined;
  /**
   * Writes one of this many events of successful requests, as `sample` of the entry point does; a route's
   * number there takes precedence. Default: that of the entry point.
   */
  readonly sample?: number | undefined;
}

const REQUEST_LOG_OPTIONS = {
  // Read below: a wrong level is a RangeError here, as it is for loggers.
  level: anyValue<RequestLevel>(),
  sample: SAMPLE_COUNT,
} satisfies OptionTable<RequestLogOptions>;

/** The same, read. */
export interface RouteLog {
  readonly level: ReadRequestLevel | undefined;
  readonly sample: number | undefined;
}

const NOTHING: RouteLog = { level: undefined, sample: undefined };

/** An app that never uses the decorator does not need to look for it at each request. */
let isUsed = false;

/**
 * Sets the level of the events of the requests that a handler, or all handlers of a class, answers
 * successfully, `@RequestLog('debug')`; warnings and errors keep theirs. `@RequestLog('off')` leaves out
 * these events, whatever the outcome; what handlers log is logged, and so is an unexpected failure.
 * `@RequestLog({ sample: 100 })` writes one of a hundred. A handler's decorator takes precedence over that
 * of its class.
 *
 * For handlers of HTTP, gRPC and messages, those of routes of a gateway in the same process included. A request that is
 * denied before Nest has chosen a handler has the usual level.
 *
 * @throws RangeError for anything that is not a level, OptionsError for a `sample` that is not an integer
 *   of at least 1, and for other options.
 */
export function RequestLog(
  log: RequestLevel | RequestLogOptions,
): ClassDecorator & MethodDecorator {
  const { level, sample } = checkedOptions(
    REQUEST_LOG_OPTIONS,
    typeof log === 'object' ? log : { level: log },
    (found) => new OptionsError('logx: RequestLog', found),
  );
  isUsed = true;
  const read = level === undefined || level === 'off' ? level : toLevel(level);
  return SetMetadata(REQUEST_LOG, { level: read, sample } satisfies RouteLog);
}

/** The options of the decorators of a handler and its class. */
function routeLogOf(method: object, controller: object): RouteLog {
  if (!isUsed) return NOTHING;
  const own = metadataOf(method);
  const ofClass = metadataOf(controller);
  return { level: own?.level ?? ofClass?.level, sample: own?.sample ?? ofClass?.sample };
}

/** Gives the record of a request the options of its handler. */
export function takeRouteLog(
  record: RequestRecord,
  { controller, method, isInfrastructure }: Omit<RouteHandler, 'name'>,
): void {
  const { level, sample } = routeLogOf(method, controller);
  record.isProbe = isInfrastructure;
  record.routeLevel = level;
  record.routeSample = sample;
}

/** The same for a request that a guard refused, by its route. */
export function takeRefusedRouteLog(record: RequestRecord, request: object): void {
  const handler = handlerReached(request);
  if (handler !== undefined) takeRouteLog(record, handler);
}

function metadataOf(target: object): RouteLog | undefined {
  return Reflect.getMetadata(REQUEST_LOG, target) as RouteLog | undefined;
}
