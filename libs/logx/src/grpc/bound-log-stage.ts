import {
  acceptedRequestId,
  type BoundCallStage,
  type CallMethod,
  type CallOutcome,
  codeName,
  type StagedCall,
} from '@apix/contracts';
import { runWork } from '../context/logger-context.js';
import { Level } from '../levels/level.js';
import type { Logger } from '../logger/logger.js';
import {
  recordInContext,
  recordOfCall,
  REQUEST_RECORD,
  RequestRecord,
} from '../request/request-record.js';
import { parseTraceParent } from '../request/trace-parent.js';
import { isReadableError } from '../value/safely.js';
import { levelOfCode } from './code-level.js';
import type { GrpcLogSettings } from './grpc-options.js';

const TEMPLATE = 'gRPC {Method} -> {Code}';

/** The log stage of one method. */
export class BoundLogStage implements BoundCallStage {
  constructor(
    private readonly logger: Logger,
    private readonly method: CallMethod,
    private readonly settings: GrpcLogSettings,
  ) {}

  onCall(call: StagedCall): void {
    const request = requestBehind(call);
    if (request === undefined) {
      this.#begin(call);
      return;
    }
    request.forwarded = { call, method: this.method.fullName, code: undefined };
    call.values.set(REQUEST_RECORD, request);
  }

  #begin(call: StagedCall): void {
    const { metadataKey, field, newId } = this.settings;
    const ids = call.metadata.get(metadataKey);
    const id = (ids.length === 1 ? acceptedRequestId(ids[0]) : undefined) ?? newId();
    call.setHeader(metadataKey, id);
    const trace = parseTraceParent(call.metadata.get('traceparent')[0]);
    const logger =
      trace === undefined
        ? this.logger.forContext(field, id)
        : this.logger.forContextValues({
            [field]: id,
            trace_id: trace.traceId,
            span_id: trace.spanId,
          });
    call.values.set(REQUEST_RECORD, new RequestRecord(logger, call));
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
    if (record.isProbe && this.settings.skipsProbes) return;
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
