import { FLAG, type OptionTable, withDefault } from '@apix/contracts/internal';
import { type Context, context, ROOT_CONTEXT } from '@opentelemetry/api';
import { otelOptions } from '../errors.js';
import { headersFor } from '../messages/sent-message.js';
import { INCOMING } from '../tracing/option-kinds.js';
import { type IncomingTrace, Tracing, TRACING } from '../tracing/tracing.js';
import { BullmqTracer, withLinks } from './bullmq-tracer.js';
import { beginningOfJob, parsedMetadata } from './job-beginning.js';

export interface BullmqTelemetryOptions {
  /** The tracing that creates the spans, as injected by Nest. Default: one of the global provider. */
  readonly tracing?: Tracing | undefined;
  /** How the span of a job relates to the trace that added the job. Default: link. */
  readonly jobs?: IncomingTrace | undefined;
  /** Spans of what queues and workers do besides adding and processing jobs too. Default: false. */
  readonly internal?: boolean | undefined;
}

const TELEMETRY_OPTIONS = {
  tracing: TRACING,
  jobs: withDefault(INCOMING, 'link'),
  internal: withDefault(FLAG, false),
} satisfies OptionTable<BullmqTelemetryOptions>;

/** The contexts of BullMQ, and how they are written into jobs. */
export interface BullmqContexts {
  with<A extends (...args: never[]) => unknown>(context: Context, fn: A): ReturnType<A>;
  active(): Context;
  root(): Context;
  getMetadata(context: Context): string;
  fromMetadata(active: Context, metadata: string): Context;
}

/** The option `telemetry` of queues, workers and flows of BullMQ 5 and 6. */
export interface BullmqTelemetry {
  readonly tracer: BullmqTracer;
  readonly contextManager: BullmqContexts;
}

/**
 * The telemetry of BullMQ: `send <queue>` for jobs that are added and `process <queue>` for each attempt at
 * one. The trace is passed on in the options of the job.
 *
 * @throws OtelError for wrong options.
 */
// Why: docs/decisions/0287
export function bullmqTelemetry(options: BullmqTelemetryOptions = {}): BullmqTelemetry {
  const { jobs, internal, ...read } = otelOptions(TELEMETRY_OPTIONS, options);
  const { tracing = new Tracing() } = read;
  return {
    tracer: new BullmqTracer(tracing, internal),
    contextManager: {
      with: (inner, fn) => context.with(inner, fn as unknown as () => ReturnType<typeof fn>),
      active: () => context.active(),
      root: () => ROOT_CONTEXT,
      getMetadata: (from) => {
        const headers = headersFor(tracing, from);
        return Object.keys(headers).length === 0 ? '' : JSON.stringify(headers);
      },
      fromMetadata: (_active, metadata) =>
        withLinks(beginningOfJob(tracing, jobs, parsedMetadata(metadata))),
    },
  };
}
