import {
  type BoundCallStage,
  type CallMethod,
  type CallOutcome,
  codeName,
  type StagedCall,
} from '@apix/contracts';
import { acceptedRequestId, isReadableError } from '@apix/contracts/internal';
import { runWork } from '../context/logger-context.js';
import { unitInContext } from '../context/work-storage.js';
import { keepsEvents } from '../levels/level-tree.js';
import { Level } from '../levels/level.js';
import type { Logger } from '../logger/logger.js';
import {
  recordInContext,
  recordOfCall,
  REQUEST_RECORD,
  RequestRecord,
} from '../request/request-record.js';
import { type CodeName, levelOfCode } from '../request/code-level.js';
import { foundFields } from '../request/found-fields.js';
import { headerFields } from '../request/header-fields.js';
import { levelOf } from '../request/level-rules.js';
import type { RequestSampler } from '../request/request-sampler.js';
import { parseTraceParent } from '../request/trace-parent.js';
import { changedMembers } from '../value/changed-members.js';
import type { GrpcOutcome } from './grpc-outcome.js';
import type { GrpcLogSettings } from './grpc-options.js';

/** The template of the event of a gRPC call. */
const GRPC_TEMPLATE = 'gRPC {Method} -> {Code}';

/** The service that reports the health of a server. */
export const HEALTH_SERVICE = 'grpc.health.v1.Health';

/** The log stage of one method. */
export class BoundLogStage implements BoundCallStage {
  constructor(
    private readonly logger: Logger,
    private readonly method: CallMethod,
    private readonly settings: GrpcLogSettings,
    private readonly sampler: RequestSampler,
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
    const { metadataKey, field, fields, newId } = this.settings;
    const ids = call.metadata.get(metadataKey);
    const id = (ids.length === 1 ? acceptedRequestId(ids[0]) : undefined) ?? newId(call);
    call.setHeader(metadataKey, id);
    call.requestId = id;
    const trace = call.trace ?? parseTraceParent(call.metadata.get('traceparent')[0]);
    const found = foundFields(fields, call);
    const logger =
      trace === undefined && found === undefined
        ? this.logger.forContext(field, id)
        : this.logger.forContextValues({
            ...found,
            [field]: id,
            trace_id: trace?.traceId,
            span_id: trace?.spanId,
          });
    const record = new RequestRecord(logger, found, call);
    record.traceId = trace?.traceId;
    if (keepsEvents(logger.levels)) {
      record.open();
      record.join(call.inCallersContext?.(unitInContext));
    }
    call.values.set(REQUEST_RECORD, record);
  }

  within(call: StagedCall, run: () => void): void {
    const record = recordOfCall(call);
    if (record === undefined) run();
    else runWork(record, run);
  }

  onEnd(call: StagedCall, outcome: CallOutcome): void {
    const record = recordOfCall(call);
    if (record === undefined) return;
    const name = codeName(outcome.code) as CodeName;
    if (record.forwarded !== undefined) {
      record.forwarded.code = name;
      if (outcome.error !== undefined) record.fail(outcome.error);
      return;
    }
    if (record.dependsOnWork) runWork(record, () => this.#write(call, record, outcome, name));
    else this.#write(call, record, outcome, name);
  }

  #write(call: StagedCall, record: RequestRecord, outcome: CallOutcome, code: CodeName): void {
    const { durationMs } = record;
    const { fullName } = this.method;
    const usual = levelOfCode(outcome.code);
    if (record.keepsEvents) {
      const isStream = (): boolean => this.method.kind !== 'unary';
      const hasFailed = usual === Level.Error || record.failure?.isPanic === true;
      record.settle({ hasFailed, durationMs, isStream });
    }
    const error = record.failure?.error ?? outcome.error;
    const ended = { call, method: fullName, code, durationMs, handler: record.handler };
    const level = this.#levelOf(record, { ...ended, error, level: usual });
    const isError = usual === Level.Error && record.failure?.reported !== true;
    if (level === 'off' || !isError) record.reportPanic();
    if (level === 'off') return;
    const isFailure = usual > Level.Information || error !== undefined;
    const standsFor = isFailure ? undefined : this.#standsFor(record, level, durationMs);
    if (standsFor === 0) return;
    const hasStack = isError && isReadableError(error);
    (hasStack ? record.events.withStackTrace(true) : record.events).write({
      level,
      kind: 'grpc',
      template: GRPC_TEMPLATE,
      args: [fullName, code],
      fields: {
        ...this.#moreFields(call, record),
        ...record.extra,
        method: fullName,
        code,
        duration_ms: durationMs,
        remote: call.peer.address || undefined,
        handler: record.handler,
        user_agent: call.metadata.get('user-agent')[0],
        stands_for: standsFor,
      },
      error: isError ? (error ?? { message: outcome.message || code }) : undefined,
    });
  }

  #levelOf(record: RequestRecord, outcome: GrpcOutcome): Level | 'off' {
    const { kind, service } = this.method;
    const isProbe = record.isProbe || service === HEALTH_SERVICE;
    return levelOf(this.settings.rules, { record, isProbe, isStream: kind !== 'unary', outcome });
  }

  /** Undefined for a call whose event is written independently of `sample`. */
  #standsFor(record: RequestRecord, level: Level, durationMs: number): number | undefined {
    if (level > Level.Information || !record.logger.enabled(level)) return undefined;
    const { fullName, kind } = this.method;
    const isStream = (): boolean => kind !== 'unary';
    return this.sampler.standsFor({
      record,
      handler: fullName,
      route: () => record.handler,
      durationMs,
      isStream,
    });
  }

  /** The fields that few calls have: those found by the app, and metadata. */
  #moreFields({ metadata }: StagedCall, record: RequestRecord): object | undefined {
    const { fields, requestMetadata } = this.settings;
    if (fields === undefined && requestMetadata === undefined) return undefined;
    const { call } = record.subject;
    return {
      request_metadata:
        requestMetadata &&
        headerFields(
          requestMetadata,
          () => metadata.keys(),
          (key) => oneOrAll(metadata.get(key)),
        ),
      ...(call && changedMembers(record.found, foundFields(fields, call))),
    };
  }
}

function oneOrAll(values: readonly string[]): unknown {
  return values.length > 1 ? values : values[0];
}

/**
 * The HTTP request for which a gateway in this process calls: one request gets one event, at its own entry
 * point.
 */
function requestBehind(call: StagedCall): RequestRecord | undefined {
  // Why: docs/decisions/0090
  return call.forwarded ? call.inCallersContext?.(recordInContext) : undefined;
}
