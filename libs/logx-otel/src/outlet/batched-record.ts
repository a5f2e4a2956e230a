import type { HrTime, SpanContext } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { hrTimeOf } from '../record/event-translator.js';
import type { RecordAttributes, Translation } from '../record/translation.js';

export interface RecordOrigin {
  readonly resource: Resource;
  readonly instrumentationScope: { readonly name: string };
}

/**
 * A record that OpenTelemetry's exporters can read (ReadableLogRecord). The class of the SDK adds attributes
 * one by one, with checks that values of logx events always pass.
 */
export class BatchedRecord {
  readonly hrTime: HrTime;
  readonly hrTimeObserved: HrTime;
  readonly severityNumber: number | undefined;
  readonly severityText: string | undefined;
  readonly body: string | undefined;
  readonly attributes: RecordAttributes;
  readonly spanContext: SpanContext | undefined;
  readonly resource: Resource;
  readonly instrumentationScope: { readonly name: string };
  // Why: docs/decisions/0076
  readonly eventName = undefined;
  readonly droppedAttributesCount = 0;

  constructor(record: Translation, now: number, origin: RecordOrigin) {
    this.hrTime = record.time ?? hrTimeOf(now);
    this.hrTimeObserved = this.hrTime;
    this.severityNumber = record.severityNumber;
    this.severityText = record.severityText;
    this.body = record.body;
    this.attributes = record.attributes;
    this.spanContext = record.spanContext;
    this.resource = origin.resource;
    this.instrumentationScope = origin.instrumentationScope;
  }
}
