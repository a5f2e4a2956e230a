import { onceForText } from '@apix/contracts/internal';
import { expectedLength, writeAnyValue, writeKey } from './any-value.js';
import { preparedBytes, type ProtoWriter } from './proto-writer.js';

/** `LogRecord.attributes` (opentelemetry/proto/logs/v1/logs.proto). */
const LOG_ATTRIBUTES = 0x32;
/** `Resource.attributes` (opentelemetry/proto/resource/v1/resource.proto). */
const RESOURCE_ATTRIBUTES = 0x0a;

/** Creates a function that encodes each text once and caches the bytes. */
function preparedBy(
  write: (writer: ProtoWriter, text: string) => void,
  textLength?: number,
): (text: string) => Uint8Array {
  const prepare = (text: string): Uint8Array => preparedBytes((writer) => write(writer, text));
  return onceForText(prepare, textLength === undefined ? {} : { textLength });
}

const keyOf = preparedBy(writeKey);

/** Writes one attribute of a record. */
export function writeAttribute(writer: ProtoWriter, key: string, value: unknown): void {
  writer.addByte(LOG_ATTRIBUTES);
  writeMember(writer, key, value);
}

/** Writes one attribute of a resource. */
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

/** The attribute of a template; cached, because the same few templates are used repeatedly. */
export const templateAttribute = preparedBy(
  (writer, template) => writeAttribute(writer, 'log.template', template),
  512,
);
