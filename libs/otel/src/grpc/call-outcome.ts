import { type CallOutcome, Code, codeName, type ServedOutcome } from '@apix/contracts';
import { thrownError } from '@apix/contracts/internal';
import { type Attributes, type Histogram, SpanStatusCode } from '@opentelemetry/api';
import { ERROR_TYPE, RPC_STATUS_CODE } from '../names.js';
import type { CallSpan } from '../tracing/entry-span.js';
import { endSpan } from '../tracing/guarded-tracer.js';
import { recordException } from '../tracing/span-failure.js';

/** Whether a call with this code has failed, as one end sees it. */
type FailureRule = (code: Code) => boolean;

/** All other codes are refusals. A caller that has left was not refused. */
const AT_SERVER: Readonly<Partial<Record<Code, ServedOutcome>>> = {
  [Code.OK]: 'ok',
  [Code.CANCELLED]: 'ok',
  [Code.UNKNOWN]: 'failed',
  [Code.DEADLINE_EXCEEDED]: 'failed',
  [Code.UNIMPLEMENTED]: 'failed',
  [Code.INTERNAL]: 'failed',
  [Code.UNAVAILABLE]: 'failed',
  [Code.DATA_LOSS]: 'failed',
};

/** As the server sees it: what failed is its own fault, by the semantic conventions for gRPC. */
export function servedOutcomeOf(code: Code): ServedOutcome {
  return AT_SERVER[code] ?? 'refused';
}

export const failedAtServer: FailureRule = (code) => servedOutcomeOf(code) === 'failed';

/** For a client: everything but an answer. */
export const failedAtClient: FailureRule = (code) => code !== Code.OK;

/** What calls of one method that end with one code have in common. */
interface EndOfCalls {
  readonly name: string;
  readonly hasFailed: boolean;
  /** Of their durations. */
  readonly attributes: Attributes;
}

/** How the calls of one method end: on their spans and, if something records it, in the histogram of durations. */
export class CallEnds {
  /** By code, made when a call ends with it for the first time. */
  readonly #byCode: EndOfCalls[] = [];

  /** @param attributes those of all its calls. */
  constructor(
    private readonly histogram: Histogram | undefined,
    private readonly attributes: Attributes,
    private readonly hasFailed: FailureRule,
  ) {}

  /** Ends the span of a call. Returns how long the call took, in milliseconds. */
  end({ span, context, begun }: CallSpan, { code, message, error }: CallOutcome): number {
    const ms = performance.now() - begun;
    const { name, hasFailed, attributes } = (this.#byCode[code] ??= this.#endOf(code));
    if (span.isRecording()) {
      span.setAttribute(RPC_STATUS_CODE, name);
      // Why: docs/decisions/0284
      if (hasFailed) {
        span.setAttribute(ERROR_TYPE, name);
        span.setStatus({ code: SpanStatusCode.ERROR, message });
        if (error !== undefined) recordException(span, thrownError(error));
      }
    }
    endSpan(span);
    // With the span's context, for exemplars.
    this.histogram?.record(ms / 1_000, attributes, context);
    return ms;
  }

  #endOf(code: Code): EndOfCalls {
    const name = codeName(code);
    const hasFailed = this.hasFailed(code);
    const error = hasFailed ? { [ERROR_TYPE]: name } : undefined;
    const attributes = { ...this.attributes, [RPC_STATUS_CODE]: name, ...error };
    return { name, hasFailed, attributes };
  }
}
