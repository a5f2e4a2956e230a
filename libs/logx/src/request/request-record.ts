import { withContextFields } from '../context/logger-context.js';
import type { Logger } from '../logger/logger.js';

/**
 * Where the record of a request is kept: under this property of the raw HTTP request and of its
 * logger, and under this key of a gRPC call's values.
 */
export const REQUEST_RECORD = Symbol.for('apix.logx.RequestRecord');

/** What failed in a request, and whether an event has told of it already. */
export interface RequestFailure {
  readonly error: unknown;
  reported: boolean;
}

/** The call that a gateway in this process made of a request. */
export interface ForwardedCall {
  /** Full name of the method. */
  readonly method: string;
  /** Name of the code that it ended with; undefined while it runs. */
  code: string | undefined;
}

/** What is known of a request under way, for its one event at the end. */
export class RequestRecord {
  readonly started = performance.now();
  /** The route's pattern, such as `/orders/:id`. */
  route: string | undefined;
  /** `Class.method` of the handler. */
  handler: string | undefined;
  /** Serves the operator: health, metrics, docs. */
  isProbe = false;
  /** The first failure; later ones come of it. */
  failure: RequestFailure | undefined;
  /** Told of in the request's own event. */
  forwarded: ForwardedCall | undefined;

  #events: Logger;

  /** @param logger with the request's id. */
  constructor(readonly logger: Logger) {
    this.#events = logger;
  }

  /** Logs the request's own event: with the fields that extractors found, say of its span. */
  get events(): Logger {
    return this.#events;
  }

  /** Called inside the request; at its end there is no context to look into any more. */
  takeContextFields(): void {
    this.#events = withContextFields(this.logger);
  }

  /** Notes what failed, once. */
  fail(error: unknown): RequestFailure {
    return (this.failure ??= { error, reported: false });
  }

  /** Milliseconds since the start, to the microsecond. */
  get durationMs(): number {
    return Math.round((performance.now() - this.started) * 1000) / 1000;
  }
}

interface Carrier {
  [REQUEST_RECORD]?: RequestRecord;
}

/** The record of a raw HTTP request, or of its logger. */
export function recordOf(carrier: object): RequestRecord | undefined {
  return (carrier as Carrier)[REQUEST_RECORD];
}

export function setRecord(carrier: object, record: RequestRecord): void {
  (carrier as Carrier)[REQUEST_RECORD] = record;
}
