import type {
  Attributes,
  Context,
  HrTime,
  SpanContext,
  SpanKind,
  SpanStatus,
} from '@opentelemetry/api';

/** The part of an ended span that is read; the `ReadableSpan` of both major versions of the SDK has it. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly spanContext: () => SpanContext;
  readonly parentSpanContext?: SpanContext | undefined;
  readonly startTime: HrTime;
  readonly duration: HrTime;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
}

/** The SDK's `SpanProcessor`, as far as it is needed, so that the SDK is not. */
export interface SpanListener {
  onStart(span: object, parent: Context): void;
  onEnd(span: EndedSpan): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}
