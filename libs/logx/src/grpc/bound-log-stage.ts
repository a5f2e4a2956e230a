import {
  type BoundCallStage,
  type CallMethod,
  type CallOutcome,
  codeName,
  type StagedCall,
} from '@apix/contracts';
import { runWork } from '../context/logger-context.js';
import { Level } from '../levels/level.js';
import type { Logger } from '../logger/logger.js';
import { DEFAULT_ID_FIELD } from '../request/door-options.js';
import { acceptedRequestId, safeGenerator } from '../request/request-id.js';
import {
  recordInContext,
  recordOfCall,
  REQUEST_RECORD,
  RequestRecord,
} from '../request/request-record.js';
import { parseTraceParent } from '../request/trace-parent.js';
import { isReadableError } from '../value/safely.js';
import { levelOfCode } from './code-level.js';
import type { GrpcLogOptions } from './grpc-options.js';

const TEMPLATE = 'gRPC {Method} -> {Code}';

/** The log stage of one method. */
export class BoundLogStage implements BoundCallStage {
  readonly #key: string;
  readonly #field: string;
  readonly #newId: () => string;
  readonly #skipsProbes: boolean;

  constructor(
    private readonly logger: Logger,
    private readonly method: CallMethod,
    options: GrpcLogOptions,
  ) {
    this.#key = (options.metadataKey ?? 'x-request-id').toLowerCase();
    this.#field = options.field ?? DEFAULT_ID_FIELD;
    this.#newId = safeGenerator(options.idGenerator);
    this.#skipsProbes = (options.skipProbes ?? false) !== false;
  }

  onCall(call: StagedCall): void {
    const request = requestBehind(call);
    if (request === undefined) {
      this.#begin(call);
      return;
    }
    request.forwarded = { method: this.method.fullName, code: undefined };
    call.values.set(REQUEST_RECORD, request);
  }

  #begin(call: StagedCall): void {
    const ids = call.metadata.get(this.#key);
    const id = (ids.length === 1 ? acceptedRequestId(ids[0]) : undefined) ?? this.#newId();
    call.setHeader(this.#key, id);
    const trace = parseTraceParent(call.metadata.get('traceparent')[0]);
    const logger =
      trace === undefined
        ? this.logger.forContext(this.#field, id)
        : this.logger.forContextValues({
            [this.#field]: id,
            trace_id: trace.traceId,
            span_id: trace.spanId,
          });
    call.values.set(REQUEST_RECORD, new RequestRecord(logger));
  }

  within(call: StagedCall, run: () => void): void {
    const record = recordOfCall(call);
    if (record === undefined) run();
    else runWork(record, run);
  }

  onEnd(call: StagedCall, outcome: CallOutcome): void {
    const record = recordOfCall(call);
    if (record === undefined) return;
    const { code, message } = outcome;
    const name = codeName(code);
    if (record.forwarded !== undefined) {
      record.forwarded.code = name;
      if (outcome.error !== undefined) record.fail(outcome.error);
      return;
    }
    if (record.isProbe && this.#skipsProbes) return;
    const level = levelOfCode(code);
    const isError = level === Level.Error && record.failure?.reported !== true;
    const error = record.failure?.error ?? outcome.error;
    const hasStack = isError && isReadableError(error);
    (hasStack ? record.events.withStackTrace(true) : record.events).write({
      level,
      template: TEMPLATE,
      args: [this.method.fullName, name],
      fields: {
        ...record.extra,
        method: this.method.fullName,
        code: name,
        duration_ms: record.durationMs,
        remote: call.peer.address || undefined,
        handler: record.handler,
        user_agent: call.metadata.get('user-agent')[0],
      },
      error: isError ? (error ?? { message: message || name }) : undefined,
    });
  }
}

/**
 * The HTTP request that a gateway in this process speaks for: one request gets one event, at the
 * door that it came through.
 */
function requestBehind(call: StagedCall): RequestRecord | undefined {
  // Why: docs/decisions/0090
  return call.forwarded ? call.inCallersContext?.(recordInContext) : undefined;
}
