import { expectedLength, writeAnyValue, writeKey } from './any-value.js';
import { preparedBytes, type ProtoWriter } from './proto-writer.js';

/** `LogRecord.attributes` (opentelemetry/proto/logs/v1/logs.proto). */
const LOG_ATTRIBUTES = 0x32;
/** `Resource.attributes` (opentelemetry/proto/resource/v1/resource.proto). */
const RESOURCE_ATTRIBUTES = 0x0a;

/** A program has few names and templates, and those made at run time must not pile up. */
const MAX_PREPARED = 1_000;
const MAX_LENGTH = 128;

/** A function that prepares bytes for a text once, and again after a thousand others. */
function preparedBy(
  write: (writer: ProtoWriter, text: string) => void,
  maxLength: number,
): (text: string) => Uint8Array {
  const known = new Map<string, Uint8Array>();
  return (text) => {
    let bytes = known.get(text);
    if (bytes !== undefined) return bytes;
    bytes = preparedBytes((writer) => write(writer, text));
    if (text.length > maxLength) return bytes;
    if (known.size >= MAX_PREPARED) known.clear();
    known.set(text, bytes);
    return bytes;
  };
}

const keyOf = preparedBy(writeKey, MAX_LENGTH);

/** One attribute of a record. */
export function writeAttribute(writer: ProtoWriter, key: string, value: unknown): void {
  writer.addByte(LOG_ATTRIBUTES);
  writeMember(writer, key, value);
}

/** One attribute of a resource. */
export function writeResourceAttribute(writer: ProtoWriter, key: string, value: unknown): void {
  writer.addByte(RESOURCE_ATTRIBUTES);
  writeMember(writer, key, value);
}

function writeMember(writer: ProtoWriter, key: string, value: unknown): void {
  const name = keyOf(key);
  const expected = name.length + expectedLength(value);
  const begun = writer.open(expected);
  writer.add(name);
  writeAnyValue(writer, value);
  writer.close(begun, expected);
}

/** The attribute of a template, which is one of few that come again and again. */
export const templateAttribute = preparedBy(
  (writer, template) => writeAttribute(writer, 'log.template', template),
  4 * MAX_LENGTH,
);
