import type { HrTime, SpanContext } from '@opentelemetry/api';

/** Attributes of a record, in no particular order, with values that AnyValue can hold. */
export type RecordAttributes = Record<string, unknown>;

/** An event in the terms of OpenTelemetry's logs data model. */
export interface Translation {
  /** Undefined if the event has no time. */
  readonly time: HrTime | undefined;
  readonly severityNumber: number | undefined;
  readonly severityText: string | undefined;
  readonly body: string | undefined;
  readonly attributes: RecordAttributes;
  readonly spanContext: SpanContext | undefined;
}
