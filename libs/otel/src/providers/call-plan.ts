import {
  callable,
  checkedOptions,
  FLAG,
  foreignObject,
  type OptionTable,
  shaped,
  TEXT,
  withDefault,
} from '@apix/contracts/internal';
import {
  type Attributes,
  type Context,
  type SpanOptions,
  SpanKind,
  TraceFlags,
  context,
  trace,
} from '@opentelemetry/api';
import { OtelError } from '../errors.js';
import { currentTracer } from '../tracing/guarded-tracer.js';
import type { FollowedCalls } from '../spans/follow.js';
import { followIfObservable } from '../spans/follow-observable.js';
import { OpenSpan } from '../spans/open-span.js';
import { CODE_FUNCTION_NAME } from '../names.js';

/** Options for the spans of a method. */
export interface TracedOptions {
  /** The name of the spans; low in cardinality. Default: `Class.method`. */
  readonly name?: string | undefined;
  /**
   * Attributes of each span: fixed ones, or computed from the arguments, only for spans that are recorded.
   * Default: none, because arguments may be private.
   */
  readonly attributes?: Attributes | ((...args: never[]) => Attributes) | undefined;
  /** Whether a call that is part of no trace begins one. Default: false. */
  readonly root?: boolean | undefined;
}

const TRACED_OPTIONS = {
  name: TEXT,
  attributes: shaped<unknown>((value) =>
    typeof value === 'function' ? callable() : foreignObject('an object or a function'),
  ),
  root: withDefault(FLAG, false),
} satisfies OptionTable<TracedOptions>;

/** The values shared by all calls of a method. */
export interface CallPlan extends FollowedCalls {
  readonly name: string;
  readonly options: SpanOptions;
  readonly attributesOf: ((...args: never[]) => Attributes) | undefined;
  readonly root: boolean;
}

/** @param method as `Class.method`. @throws OtelError for wrong options. */
export function planCalls(method: string, options: TracedOptions = {}): CallPlan {
  const { name = method, root } = checkedOptions(
    TRACED_OPTIONS,
    options,
    (found) => new OtelError(found.map((mistake) => `@Traced() on ${method}: ${mistake}`)),
  );
  const { attributes } = options;
  const fixed = typeof attributes === 'function' ? undefined : attributes;
  const plan: CallPlan = {
    again: () => beginRun(plan),
    other: followIfObservable,
    name,
    root,
    attributesOf: typeof attributes === 'function' ? attributes : undefined,
    options: {
      kind: SpanKind.INTERNAL,
      attributes: { [CODE_FUNCTION_NAME]: method, ...fixed },
    },
  };
  return plan;
}

/** Whether a call in this context gets a span: a span that is not recorded is not worth its cost. */
export function isTraced({ root }: CallPlan, outer: Context): boolean {
  // Why: docs/decisions/0265
  const parent = trace.getSpan(outer);
  if (parent === undefined) return root;
  return (
    parent.isRecording() ||
    // The span of a caller in another process is recorded there.
    (parent.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0
  );
}

/** Begins the span of a call. */
export function beginSpan(plan: CallPlan, outer: Context): OpenSpan {
  return new OpenSpan(currentTracer().startSpan(plan.name, plan.options, outer), outer);
}

function beginRun(plan: CallPlan): OpenSpan | undefined {
  const outer = context.active();
  return isTraced(plan, outer) ? beginSpan(plan, outer) : undefined;
}
