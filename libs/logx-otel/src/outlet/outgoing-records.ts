import type { LogEvent } from '@apix/logx/core';
import type { Resource } from '@opentelemetry/resources';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import { hrTimeOf, translateEvent } from '../record/event-translator.js';
import type { Translation } from '../record/translation.js';
import { RecordEncoder } from '../wire/record-encoder.js';
import { RequestEncoder } from '../wire/request-encoder.js';
import { BatchedRecord, type RecordOrigin } from './batched-record.js';
import { EncodedRecord } from './encoded-record.js';
import { encodeRequestsBy } from './inside-exporter.js';

/** A record that waits for its export. */
export type OutgoingRecord = BatchedRecord | EncodedRecord;

/**
 * Creates the records that wait, and requests from them. Records are bytes once an exporter uses the requests
 * of this class; they are objects before that, and if the exporter cannot use such requests.
 */
// Why: docs/decisions/0076
export class OutgoingRecords {
  readonly #origin: RecordOrigin;
  readonly #records: RecordEncoder;
  readonly #requests: RequestEncoder;
  #areBytes = false;

  constructor(
    resource: Resource,
    scopeName: string,
    private readonly staticAttributes: Readonly<Record<string, string>>,
  ) {
    this.#origin = { resource, instrumentationScope: { name: scopeName } };
    this.#records = new RecordEncoder(staticAttributes);
    this.#requests = new RequestEncoder(resource, scopeName);
  }

  /** Makes the exporter use the requests of this class, if it can. */
  serve(exporter: LogRecordExporter): void {
    this.#areBytes = encodeRequestsBy(exporter, (records) =>
      this.#request(records as readonly OutgoingRecord[]),
    );
  }

  /** @throws RangeError for an event with values that are nested too deeply. */
  ofEvent(event: LogEvent): OutgoingRecord {
    return this.#areBytes
      ? new EncodedRecord(this.#records.encodeEvent(event), this.#origin.resource)
      : new BatchedRecord(translateEvent(event, this.staticAttributes), event.time, this.#origin);
  }

  /** @throws RangeError like {@link ofEvent}. */
  ofTranslation(record: Translation, now: number): OutgoingRecord {
    if (!this.#areBytes) return new BatchedRecord(record, now, this.#origin);
    const written = this.#records.encodeRecord(record, record.time ?? hrTimeOf(now));
    return new EncodedRecord(written, this.#origin.resource);
  }

  #request(records: readonly OutgoingRecord[]): Uint8Array {
    const written = records.map((record) =>
      record instanceof EncodedRecord ? record : this.#records.encodeRecord(record, record.hrTime),
    );
    return this.#requests.encode(written);
  }
}
