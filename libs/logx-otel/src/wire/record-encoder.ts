import type { Level, LogEvent } from '@apix/logx/core';
import type { HrTime, SpanContext } from '@opentelemetry/api';
import { hrTimeOf } from '../record/event-translator.js';
import { type Severity, severityOf } from '../record/severity.js';
import type { Translation } from '../record/translation.js';
import { writeAnyValue } from './any-value.js';
import { templateAttribute, writeAttribute } from './attribute-writer.js';
import { EventAttributes } from './event-attributes.js';
import { preparedBytes, ProtoWriter, type WrittenBytes } from './proto-writer.js';

/** Fields of LogRecord (opentelemetry/proto/logs/v1/logs.proto), and the one that holds a record. */
const LOG_RECORDS = 0x12;
const TIME = 0x09;
const SEVERITY_NUMBER = 0x10;
const SEVERITY_TEXT = 0x1a;
const BODY = 0x2a;
const FLAGS = 0x45;
const TRACE_ID = 0x4a;
const TRACE_ID_BYTES = 16;
const SPAN_ID = 0x52;
const SPAN_ID_BYTES = 8;
const OBSERVED_TIME = 0x59;

/** Most records are longer than 127 bytes and shorter than 16 KiB. */
const EXPECTED_LENGTH = 1_000;
const NANOS = 1_000_000_000n;

/** Encodes records as fields of ScopeLogs; events are encoded directly, without intermediate objects. */
export class RecordEncoder {
  readonly #writer = new ProtoWriter();
  readonly #fields: EventAttributes;
  #time = NaN;
  #nanos: Uint8Array = new Uint8Array(8);

  constructor(staticAttributes: Readonly<Record<string, string>>) {
    this.#fields = new EventAttributes(this.#writer, staticAttributes);
  }

  /** The output of {@link encodeRecord} for the translated event. */
  encodeEvent(event: LogEvent): WrittenBytes {
    const writer = this.#writer;
    const fields = this.#fields;
    let begun = this.#beginEvent(event);
    if (!fields.write(event)) {
      begun = this.#beginEvent(event);
      fields.writeTogether(event);
    }
    const { error, stack, caller } = event;
    writer.add(templateAttribute(event.template));
    if (error !== undefined) writeAttribute(writer, 'exception.message', error);
    if (stack !== undefined) writeAttribute(writer, 'exception.stacktrace', stack);
    if (caller !== undefined) {
      writeAttribute(writer, 'code.filepath', caller.file);
      writeAttribute(writer, 'code.lineno', caller.line);
    }
    return this.#end(begun, this.#nanos, fields.span);
  }

  encodeRecord(record: Omit<Translation, 'time'>, time: HrTime): WrittenBytes {
    const { severityNumber: number, severityText: text, body, spanContext } = record;
    const nanos = nanosOf(time);
    const begun = this.#begin(nanos);
    if (number !== undefined && text !== undefined) writeSeverity(this.#writer, { number, text });
    if (body !== undefined) this.#writeBody(body);
    for (const [key, value] of Object.entries(record.attributes)) {
      writeAttribute(this.#writer, key, value);
    }
    return this.#end(begun, nanos, spanContext);
  }

  #beginEvent({ time, level, message }: LogEvent): number {
    if (time !== this.#time) {
      this.#nanos = nanosOf(hrTimeOf(time));
      this.#time = time;
    }
    const begun = this.#begin(this.#nanos);
    this.#writer.add(severityBytes(level));
    this.#writeBody(message);
    return begun;
  }

  #begin(nanos: Uint8Array): number {
    const writer = this.#writer;
    writer.begin();
    writer.addByte(LOG_RECORDS);
    const begun = writer.open(EXPECTED_LENGTH);
    writer.addByte(TIME);
    writer.add(nanos);
    return begun;
  }

  #writeBody(body: string): void {
    this.#writer.addByte(BODY);
    writeAnyValue(this.#writer, body);
  }

  #end(begun: number, nanos: Uint8Array, span: SpanContext | undefined): WrittenBytes {
    const writer = this.#writer;
    if (span !== undefined) {
      if (span.traceFlags !== 0) {
        writer.addByte(FLAGS);
        writer.addFixed32(span.traceFlags);
      }
      writer.addByte(TRACE_ID);
      writer.addByte(TRACE_ID_BYTES);
      writer.addHex(span.traceId);
      writer.addByte(SPAN_ID);
      writer.addByte(SPAN_ID_BYTES);
      writer.addHex(span.spanId);
    }
    writer.addByte(OBSERVED_TIME);
    writer.add(nanos);
    writer.close(begun, EXPECTED_LENGTH);
    return writer.take();
  }
}

const severities: { [level: number]: Uint8Array } = {};

function severityBytes(level: Level): Uint8Array {
  return (severities[level] ??= preparedBytes((writer) => {
    writeSeverity(writer, severityOf(level));
  }));
}

function writeSeverity(writer: ProtoWriter, { number, text }: Severity): void {
  writer.addByte(SEVERITY_NUMBER);
  writer.addByte(number);
  writer.addByte(SEVERITY_TEXT);
  writer.addText(text);
}

/** Nanoseconds since the epoch as a fixed64; 0 for an invalid time. */
function nanosOf([seconds, nanos]: HrTime): Uint8Array {
  const bytes = Buffer.alloc(8);
  if (!Number.isFinite(seconds)) return bytes;
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(seconds) * NANOS + BigInt(nanos)));
  return bytes;
}
