import type { DescMessage, Registry } from '@bufbuild/protobuf';
import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { WireSource } from '../../../wire/wire-source.js';
import { MAX_DEPTH } from '../../../wire/wire-error.js';
import { type JsonFragment, closeObject, writeFragment } from '../fragments.js';
import { type StreamBody, type StreamField, stopStreaming, takeTag } from './stream.js';

/** A field as the wire has it. */
export interface WireField {
  readonly number: number;
  /** Its place among the members of the JSON object, from 0. */
  readonly position: number;
  readonly key: JsonFragment;
  readonly tag: number;
  /** Another tag that it may have; the same tag if there is no other. */
  readonly otherTag: number;
  /** A bit for its oneof; 0 where it has none. */
  readonly oneofBit: number;
  readonly stream: StreamField;
}

/** Writes the member of a field that the wire does not have. */
export type WriteAbsent = (sink: ByteSink) => void;

/** Fields up to this number are looked up by index. */
const LISTED_FIELDS = 256;

/** The fields of a message type, by number. */
export class WireFields {
  readonly #listed: (WireField | undefined)[] = [];
  readonly #others = new Map<number, WireField>();

  /**
   * @param absent by position, the text for a field that is absent; undefined if nothing is written for any
   *   of them.
   */
  constructor(
    fields: readonly WireField[],
    readonly absent: readonly (WriteAbsent | undefined)[] | undefined,
  ) {
    for (const field of fields) {
      if (field.number < LISTED_FIELDS) this.#listed[field.number] = field;
      else this.#others.set(field.number, field);
    }
    // An array with holes would be slower.
    for (let i = 0; i < this.#listed.length; i++) this.#listed[i] ??= undefined;
  }

  get(number: number): WireField | undefined {
    return number < this.#listed.length ? this.#listed[number] : this.#others.get(number);
  }
}

/**
 * Reads a message and writes it as a JSON object, as long as its fields come in the order of its JSON, each
 * at most once. The fields are compiled for the first message.
 */
export function streamObject(
  desc: DescMessage,
  compile: () => WireFields,
  registry: Registry,
): StreamBody {
  let fields: WireFields | undefined;
  return (source, sink, key, depth) => {
    if (depth > MAX_DEPTH) stopStreaming();
    fields ??= compile();
    const { absent } = fields;
    writeFragment(sink, key);
    const start = sink.at;
    const { end } = source;
    let last = -1;
    let oneofs = 0;
    while (source.at < end) {
      const tag = takeTag(source);
      const number = tag >>> 3;
      const field = fields.get(number);
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

/** Skips the value after an unknown tag; groups are left to the reader of messages. */
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
