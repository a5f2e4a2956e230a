import type { HrTime, SpanContext } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { hrTimeOf } from '../record/event-translator.js';
import type { RecordAttributes, Translation } from '../record/translation.js';

export interface RecordOrigin {
  readonly resource: Resource;
  readonly instrumentationScope: { readonly name: string };
}

/**
 * A record as OpenTelemetry's exporters read it (ReadableLogRecord). The SDK's own is built
 * attribute by attribute, each of them checked for what events of logx never hold.
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
