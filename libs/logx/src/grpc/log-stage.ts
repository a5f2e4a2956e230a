import {
  type BoundCallStage,
  CALL_STAGE,
  type CallMethod,
  type CallOutcome,
  type CallStage,
  codeName,
  type StagedCall,
} from '@apix/contracts';
import { acceptedRequestId } from '@apix/contracts/internal';
import { runWork } from '../context/logger-context.js';
import { unitInContext } from '../context/work.js';
import { LEVEL_FIELDS } from '../levels/level-fields.js';
import { keepsEvents } from '../levels/level-tree.js';
import type { Logger } from '../logger/logger.js';
import { resolved } from '../request/door-options.js';
import { LeftOutRequests } from '../request/left-out-requests.js';
import {
  recordInContext,
  recordOfCall,
  REQUEST_RECORD,
  type RequestRecord,
} from '../request/request-record.js';
import { RequestSampler } from '../request/request-sampler.js';
import { parseTraceParent } from '../request/trace-parent.js';
import { CallRecord, type GrpcLogParts, HEALTH_SERVICE } from './call-record.js';
import { type GrpcLogOptions, type GrpcLogSettings, readGrpcOptions } from './grpc-options.js';

/** Gives each gRPC call its id, its logger and its one event; the first stage of the chain. */
export class LogStage implements CallStage {
  readonly [CALL_STAGE] = true as const;
  readonly name = 'log';
  readonly #settings: GrpcLogSettings;
  readonly #sampler: RequestSampler;

  /** @throws OptionsError with every wrong option. */
  constructor(
    private readonly logger: Logger,
    options?: GrpcLogOptions,
    leftOut = new LeftOutRequests(),
  ) {
    this.#settings = resolved((mistakes) => readGrpcOptions(options, '', mistakes));
    this.#sampler = new RequestSampler('grpc', this.#settings.sample, leftOut);
  }

  bind(method: CallMethod): BoundCallStage | null {
    const settings = this.#settings;
    if (settings.rules.probes === 'off' && method.service === HEALTH_SERVICE) return null;
    return new BoundLogStage({ logger: this.logger, method, settings, sampler: this.#sampler });
  }
}

/** The log stage of one method. */
class BoundLogStage implements BoundCallStage {
  /** Whether the level of a call's events depends on its id. */
  readonly #namesLevel: boolean;
  readonly #keepsEvents: boolean;

  constructor(private readonly parts: GrpcLogParts) {
    this.#namesLevel = LEVEL_FIELDS.has(parts.settings.field);
    this.#keepsEvents = keepsEvents(parts.logger.levels);
  }

  onCall(call: StagedCall): void {
    const request = requestBehind(call);
    if (request === undefined) {
      this.#begin(call);
      return;
    }
    request.forwarded = { call, method: this.parts.method.fullName, code: undefined };
    call.values.set(REQUEST_RECORD, request);
  }

  #begin(call: StagedCall): void {
    const { metadataKey, field, fields, newId } = this.parts.settings;
    const ids = call.metadata.get(metadataKey);
    const id = (ids.length === 1 ? acceptedRequestId(ids[0]) : undefined) ?? newId(call);
    call.setHeader(metadataKey, id);
    call.requestId = id;
    const [traceparent] = call.metadata.get('traceparent');
    const trace =
      call.trace ?? (traceparent === undefined ? undefined : parseTraceParent(traceparent));
    const found = fields?.(call);
    const record = new CallRecord(this.parts, call, { field, id, trace, found });
    if (this.#namesLevel || found !== undefined) void record.logger;
    if (this.#keepsEvents) {
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
    if (record instanceof CallRecord && record.isOf(call)) {
      record.end(outcome);
    } else if (record?.forwarded !== undefined) {
      record.forwarded.code = codeName(outcome.code);
      if (outcome.error !== undefined) record.fail(outcome.error);
    }
  }
}

/**
 * The HTTP request for which a gateway in this process calls: one request gets one event, at its own entry
 * point.
 */
function requestBehind(call: StagedCall): RequestRecord | undefined {
  // Why: docs/decisions/0090
  return call.forwarded ? call.inCallersContext?.(recordInContext) : undefined;
}

/**
 * The call stage that logs gRPC calls, for `stageInterceptor` of `@apix/calls/grpc` without a `LogxModule`.
 *
 * @throws OptionsError with every wrong option.
 */
export function logStage(logger: Logger, options?: GrpcLogOptions): CallStage {
  return new LogStage(logger, options);
}
