import type { DescMessage, Registry } from '@bufbuild/protobuf';
import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { WireSource } from '../../../wire/wire-source.js';
import { closeObject, writeFragment } from '../fragments.js';
import { MAX_DEPTH, type StreamBody, type StreamField, stopStreaming, takeTag } from './stream.js';

/** A field as the wire has it. */
export interface WireField {
  readonly number: number;
  /** Its place among the members of the JSON object, from 0. */
  readonly position: number;
  readonly key: Uint8Array;
  readonly tag: number;
  /** Another tag that it may have; the same one where it has none. */
  readonly otherTag: number;
  /** A bit for its oneof; 0 where it has none. */
  readonly oneofBit: number;
  readonly stream: StreamField;
}

/** Writes the member of a field that the wire does not have. */
export type WriteAbsent = (sink: ByteSink) => void;

/** Fields up to this number are looked up by index. */
const LISTED_FIELDS = 256;

/**
 * Reads a message and writes it as a JSON object, as long as its fields come in the order in
 * which JSON has them, none twice.
 *
 * @param absent by position, what is written for a field that is not there; undefined where
 * nothing is for any of them.
 */
export function streamObject(
  desc: DescMessage,
  fields: readonly WireField[],
  absent: readonly (WriteAbsent | undefined)[] | undefined,
  registry: Registry,
): StreamBody {
  const listed: (WireField | undefined)[] = [];
  const others = new Map<number, WireField>();
  for (const field of fields) {
    if (field.number < LISTED_FIELDS) listed[field.number] = field;
    else others.set(field.number, field);
  }
  for (let i = 0; i < listed.length; i++) listed[i] ??= undefined;
  return (source, sink, key, depth) => {
    if (depth > MAX_DEPTH) stopStreaming();
    writeFragment(sink, key);
    const start = sink.at;
    const { end } = source;
    let last = -1;
    let oneofs = 0;
    while (source.at < end) {
      const tag = takeTag(source);
      const number = tag >>> 3;
      const field = number < listed.length ? listed[number] : others.get(number);
      if (field === undefined) {
        if (number === 0 || registry.getExtensionFor(desc, number) !== undefined) stopStreaming();
        skip(source, tag & 7);
        continue;
      }
      const { position, oneofBit } = field;
      if (position <= last || (tag !== field.tag && tag !== field.otherTag)) stopStreaming();
      if ((oneofs & oneofBit) !== 0) stopStreaming();
      oneofs |= oneofBit;
      if (absent !== undefined) writeAbsent(sink, absent, last + 1, position);
      last = position;
      field.stream(source, sink, field.key, depth, tag);
    }
    if (absent !== undefined) writeAbsent(sink, absent, last + 1, absent.length);
    closeObject(sink, start);
  };
}

function writeAbsent(
  sink: ByteSink,
  absent: readonly (WriteAbsent | undefined)[],
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) absent[i]?.(sink);
}

/** Skips what comes after an unknown tag; groups are left to those who read messages. */
function skip(source: WireSource, wireType: number): void {
  switch (wireType) {
    case 0:
      source.varint64();
      return;
    case 1:
      source.fixed64();
      return;
    case 2:
      source.at = source.lengthEnd();
      return;
    case 5:
      source.fixed32();
      return;
    default:
      stopStreaming();
  }
}
