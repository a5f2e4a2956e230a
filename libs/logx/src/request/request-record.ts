import type { EventContext } from '@apix/calls/internal';
import type { CallContext, StagedCall, TraceIds } from '@apix/contracts';
import { contextFields, requestInContext, runWork } from '../context/logger-context.js';
import { UnitOfWork } from '../context/work.js';
import { setsLevel } from '../levels/level-fields.js';
import { dependsOnWork } from '../levels/level-tree.js';
import type { Level } from '../levels/level.js';
import { type ChildFields, EventLogger, type OwnEvent } from '../logger/event-logger.js';
import type { Logger } from '../logger/logger.js';
import type { FoundFields } from './found-fields.js';
import { writePanic } from './panic.js';
import type { ReadRequestLevel } from './request-level.js';

/**
 * Where the record of a request is kept: under this property of the raw HTTP request, and under
 * this key of a gRPC call's values.
 */
export const REQUEST_RECORD = Symbol.for('apix.logx.RequestRecord');

/** The failure of a request, and whether an event has reported it already. */
export interface RequestFailure {
  readonly error: unknown;
  reported: boolean;
  /** It is unexpected, and the request's own event must report it. */
  isPanic: boolean;
}

/** The call that a gateway in this process made of a request. */
export interface ForwardedCall {
  readonly call: StagedCall;
  /** Full name of the method. */
  readonly method: string;
  /** Name of the code that it ended with; undefined while it runs. */
  code: string | undefined;
}

/** The fields that all events of a request have, and only they. */
export interface OwnFields {
  /** The field of the id. */
  readonly field: string;
  readonly id: string;
  readonly trace: TraceIds | undefined;
  /** The fields that the option `fields` found at the start. */
  readonly found: FoundFields | undefined;
}

/** The facts about a request under way, for its one event at the end. */
export class RequestRecord extends UnitOfWork implements EventContext {
  readonly started = performance.now();
  /** `Class.method` of the handler of a gRPC call, or of the first of a GraphQL operation or a WebSocket. */
  handler: string | undefined;
  /** Whether its end is logged at all; false with `skip` and similar options. */
  isLogged = true;
  /** Whether it serves the operator: health, metrics, docs. */
  isProbe = false;
  /** Whether it has passed the guards of its handler. */
  isAdmitted = false;
  /** The `@RequestLog` of its handler. */
  routeLevel: ReadRequestLevel | undefined;
  /** One of this many events is written, according to the `@RequestLog` of its handler. */
  routeSample: number | undefined;
  /** The id of the trace to which it belongs. */
  traceId: string | undefined;
  /** The first failure; later ones are caused by it. */
  failure: RequestFailure | undefined;
  /** The gateway's call, which the request's own event reports. */
  forwarded: ForwardedCall | undefined;
  /** Further fields of its event, which cannot replace the event's own. */
  extra: Readonly<Record<string, unknown>> | undefined;

  #logged: unknown;
  private spanFields: Readonly<Record<string, unknown>> | undefined;

  /**
   * @param base the logger of the entry point.
   * @param own what the request's logger has in addition; undefined if that is not known.
   */
  constructor(
    base: Logger,
    private readonly own?: OwnFields,
  ) {
    super(base);
    this.traceId = own?.trace?.traceId;
  }

  /** Itself, for what runs in it. */
  override get request(): this {
    return this;
  }

  /** The fields that the option `fields` found at the start. */
  protected get found(): FoundFields | undefined {
    return this.own?.found;
  }

  get isActive(): boolean {
    return requestInContext() === this;
  }

  run(emit: () => boolean): boolean {
    return runWork(this, emit);
  }

  /** Logs the request's own event: with the fields that extractors found, such as those of its span. */
  get events(): Logger {
    const { logger } = this;
    return this.spanFields === undefined ? logger : logger.forContextValues(this.spanFields);
  }

  /** Whether its own event would be written at this level. Its fields set a level only if its logger exists. */
  protected isEnabled(level: Level): boolean {
    const { spanFields } = this;
    if (spanFields !== undefined && setsLevel(spanFields)) return this.events.enabled(level);
    return (this.current ?? this.base).enabled(level);
  }

  /** Writes its own event. If nothing has asked for its logger, and it would have ids only, it is not created. */
  protected writeOwn(event: OwnEvent): void {
    const { own, base } = this;
    const hasIdsOnly =
      this.current === undefined &&
      this.spanFields === undefined &&
      own !== undefined &&
      own.found === undefined;
    const logger = hasIdsOnly && base instanceof EventLogger ? base : this.events;
    if (!(logger instanceof EventLogger)) writeTo(logger, event);
    else logger.writeOwn(event, logger === base && own !== undefined ? idsOf(own) : undefined);
  }

  protected override withOwnFields(base: Logger): Logger {
    const { own } = this;
    if (own === undefined) return base;
    const { field, id, trace, found } = own;
    if (trace === undefined && found === undefined) return base.forContext(field, id);
    const { traceId, spanId } = trace ?? {};
    return base.forContextValues({ ...found, [field]: id, trace_id: traceId, span_id: spanId });
  }

  protected override get trace(): string | undefined {
    return this.traceId;
  }

  protected override get knownFields(): Readonly<Record<string, unknown>> {
    return { ...this.found, ...this.extra };
  }

  /** Adds fields to its own event. */
  addToEvent(fields: Readonly<Record<string, unknown>>): void {
    this.extra = { ...this.extra, ...fields };
    this.fieldsChanged();
  }

  /** Whether its own event must be written inside of it, for the levels that rules choose. */
  get dependsOnWork(): boolean {
    return dependsOnWork(this.base.levels);
  }

  /** Called inside the request, because there is no context any more at its end. */
  takeContextFields(): void {
    this.spanFields = contextFields();
  }

  /** Records the failure, once. */
  fail(error: unknown): RequestFailure {
    return (this.failure ??= { error, reported: false, isPanic: false });
  }

  /** Records what broke its response off, which the log of Nest may have told. */
  failInResponse(error: unknown): void {
    if (this.failure === undefined) this.fail(error).reported = error === this.#logged;
  }

  /** Records an error that an event in the name of the framework has. */
  noteLogged(error: unknown): void {
    this.#logged = error;
  }

  /**
   * Writes the event of a panic if the request's own event does not report it: it is not written, or is not
   * an error.
   */
  reportPanic(): void {
    const { failure } = this;
    if (failure === undefined || !failure.isPanic || failure.reported) return;
    failure.reported = true;
    writePanic(this.logger, failure.error);
  }

  /** Milliseconds since the start, to the microsecond. */
  get durationMs(): number {
    return Math.round((performance.now() - this.started) * 1000) / 1000;
  }
}

/** The ids that a request's logger adds; one of the trace replaces that of the request under its name. */
function idsOf({ field, id, trace }: OwnFields): ChildFields {
  if (trace === undefined) return { names: [field], values: [id] };
  const { traceId, spanId } = trace;
  return field === 'trace_id' || field === 'span_id'
    ? { names: ['trace_id', 'span_id'], values: [traceId, spanId] }
    : { names: [field, 'trace_id', 'span_id'], values: [id, traceId, spanId] };
}

/** Writes the own event of a request to a logger of another library. */
function writeTo(logger: Logger, { level, known, args, others, error, withStack }: OwnEvent): void {
  const { kind, template } = known.shape;
  const fields = known.after(others);
  const target = withStack ? logger.withStackTrace(true) : logger;
  target.write({ level, kind, template: template.text, args, fields, error });
}

interface Carrier {
  [REQUEST_RECORD]?: RequestRecord;
}

/** The record of a raw HTTP request. */
export function requestRecordOf(request: object): RequestRecord | undefined {
  return (request as Carrier)[REQUEST_RECORD];
}

export function setRecord(request: object, record: RequestRecord): void {
  (request as Carrier)[REQUEST_RECORD] = record;
}

/** The record of a gRPC call. */
export function recordOfCall(call: StagedCall | undefined): RequestRecord | undefined {
  return call?.values.get(REQUEST_RECORD) as RequestRecord | undefined;
}

/** The record of a call as the app knows it, where stages run before there is a context. */
export function recordBehind(call: CallContext | undefined): RequestRecord | undefined {
  return call !== undefined && 'values' in call ? recordOfCall(call as StagedCall) : undefined;
}

/** The record of the request under way. */
export function recordInContext(): RequestRecord | undefined {
  return requestInContext() as RequestRecord | undefined;
}
