import type { ByteSink } from '../../bytes/byte-sink.js';
import { bytesValue } from '../../values/bytes-value.js';
import { listValue } from '../../values/holder-value.js';
import { refuse } from '../../values/refuse.js';
import { within } from '../../values/value-error.js';
import { WireProblem } from '../wire-error.js';
import { MAX_DEPTH, WireSource } from '../wire-source.js';
import { writeTag } from './tags.js';

const LARGEST_NUMBER = 2 ** 29 - 1;

/** Writes the fields that a message has kept without knowing them, extensions among them. */
export function writeUnknown(sink: ByteSink, value: unknown, depth: number): void {
  let i = 0;
  try {
    const fields = listValue(value);
    for (; i < fields.length; i++) writeField(sink, fields[i], depth);
  } catch (error) {
    throw within(`.$unknown[${i}]`, error);
  }
}

function writeField(sink: ByteSink, value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return refuse('an unknown field', value);
  const { no, wireType, data } = value as Readonly<Record<string, unknown>>;
  if (typeof no !== 'number' || !Number.isInteger(no) || no < 1 || no > LARGEST_NUMBER) {
    return refuse('the number of a field', no);
  }
  if (typeof wireType !== 'number' || ![0, 1, 2, 3, 5].includes(wireType)) {
    return refuse('a wire type (0, 1, 2, 3 or 5)', wireType);
  }
  const tag = ((no << 3) | wireType) >>> 0;
  const bytes = bytesValue(data);
  if (!isOneValue(bytes, tag, depth)) return refuse(`one value of wire type ${wireType}`, data);
  writeTag(sink, tag);
  sink.append(bytes);
}

/** Anything else would be read as other fields than the message has. */
function isOneValue(bytes: Uint8Array, tag: number, depth: number): boolean {
  const source = new WireSource(bytes);
  try {
    source.skip(tag, MAX_DEPTH - depth);
    return source.at === bytes.length;
  } catch (error) {
    if (error instanceof WireProblem) return false;
    throw error;
  }
}
