import type { FieldValue, LogEvent } from '@apix/logx/core';
import { type FieldVisitor, visitFields } from '@apix/logx/shipping';
import type { SpanContext } from '@opentelemetry/api';
import { attributeKey } from '../record/attributes.js';
import { spanContextOf } from '../record/span-context.js';
import { writeAttribute } from './attribute-writer.js';
import { preparedBytes, type ProtoWriter } from './proto-writer.js';
import { StaticAttributes } from './static-attributes.js';

type LoggedFields = ReadonlyMap<string, FieldValue>;

const TRACE_ID = 'trace_id';
const SPAN_ID = 'span_id';
const NO_FIELDS: LoggedFields = new Map();

/**
 * Writes the fields of an event as attributes, and the static attributes that are not overridden by a
 * field.
 */
export class EventAttributes implements FieldVisitor {
  /** The trace context in the fields; if it is set, its ids are not written as attributes. */
  span: SpanContext | undefined;
  readonly #statics: StaticAttributes;
  #ofLogger = NO_FIELDS;
  readonly #hiding = new Set<string>();
  #hasOwnIds = false;
  /** The fields of a logger that were written last; their bytes are kept from the second time on. */
  #last: LoggedFields | undefined;
  #lastBytes: Uint8Array | undefined;

  constructor(
    private readonly writer: ProtoWriter,
    staticAttributes: Readonly<Record<string, string>>,
  ) {
    this.#statics = new StaticAttributes(staticAttributes);
  }

  /** @returns false if only {@link writeTogether} can write the event, replacing what was written. */
  write(event: LogEvent): boolean {
    this.#begin();
    visitFields(event, this);
    if (!this.#hasOwnIds) this.#writeStatics(event);
    return !this.#hasOwnIds;
  }

  /** For an event with `trace_id` or `span_id` in its own fields: all fields together determine the span. */
  writeTogether(event: LogEvent): void {
    this.#begin();
    this.loggerFields(event.fields);
    this.#writeStatics(event);
  }

  loggerFields(fields: LoggedFields): void {
    this.#ofLogger = fields;
    if (fields.has(TRACE_ID)) this.span = spanContextOf(fields.get(TRACE_ID), fields.get(SPAN_ID));
    if (this.span !== undefined) writeFields(this.writer, fields, true);
    else if (fields === this.#last) {
      this.#lastBytes ??= preparedBytes((writer) => writeFields(writer, fields, false));
      this.writer.add(this.#lastBytes);
    } else {
      this.#last = fields;
      this.#lastBytes = undefined;
      writeFields(this.writer, fields, false);
    }
  }

  field(name: string, value: FieldValue): void {
    if (name === TRACE_ID || name === SPAN_ID) this.#hasOwnIds = true;
    if (this.#statics.canBeHiddenBy(name)) this.#hiding.add(name);
    writeAttribute(this.writer, attributeKey(name), value);
  }

  #begin(): void {
    this.span = undefined;
    this.#ofLogger = NO_FIELDS;
    this.#hasOwnIds = false;
    if (this.#hiding.size > 0) this.#hiding.clear();
  }

  #writeStatics(event: LogEvent): void {
    this.#statics.write(this.writer, event, (field) => {
      if (this.span !== undefined && (field === TRACE_ID || field === SPAN_ID)) return false;
      return this.#hiding.has(field) || this.#ofLogger.has(field);
    });
  }
}

function writeFields(writer: ProtoWriter, fields: LoggedFields, withoutIds: boolean): void {
  for (const [field, value] of fields) {
    if (withoutIds && (field === TRACE_ID || field === SPAN_ID)) continue;
    writeAttribute(writer, attributeKey(field), value);
  }
}
