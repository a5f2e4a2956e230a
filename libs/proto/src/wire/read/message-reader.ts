import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { MessageMembers } from '../../message/message-shape.js';
import { skipField } from '../skip-field.js';
import { WireProblem, MAX_DEPTH, notTag, tooDeep } from '../wire-error.js';
import type { WireSource } from '../wire-source.js';
import { fieldReaders } from './field-reader.js';
import { type WireFieldReader, type MessageFiller, keepUnknown } from './reader.js';

/** Tags below this, of field numbers below 256, are looked up in an array. */
const TABLE_TAGS = 256 << 3;
const END_GROUP = 4;

/** Reads messages of one type. */
class WireMessageReader implements MessageFiller {
  /** By tag, so that a field of another wire type is not found. */
  readonly #table: (WireFieldReader | undefined)[] = [];
  readonly #others = new Map<number, WireFieldReader>();
  readonly #fields = new Map<number, DescField>();

  constructor(desc: DescMessage) {
    readers.set(desc, this);
    const found = desc.fields.flatMap((field) => {
      this.#fields.set(field.number, field);
      return fieldReaders(field, messageReader);
    });
    const tags = found.map(([tag]) => tag).filter((tag) => tag < TABLE_TAGS);
    for (let tag = Math.max(-1, ...tags); tag >= 0; tag--) this.#table.push(undefined);
    for (const [tag, reader] of found) {
      if (tag < TABLE_TAGS) this.#table[tag] = reader;
      else this.#others.set(tag, reader);
    }
  }

  read(source: WireSource, message: MessageMembers, depth: number, endTag: number): void {
    if (depth > MAX_DEPTH) throw tooDeep();
    const table = this.#table;
    const { bytes, end } = source;
    while (source.at < end) {
      let tag = bytes[source.at]!;
      if (tag < 0x80 && tag > 7) source.at++;
      else tag = source.tag();
      const reader = tag < table.length ? table[tag] : this.#others.get(tag);
      if (reader !== undefined) reader(source, message, depth);
      else if (tag === endTag) return;
      else this.#readOther(source, message, depth, tag);
    }
    if (endTag !== 0) throw new WireProblem('a group without its end');
  }

  #readOther(source: WireSource, message: MessageMembers, depth: number, tag: number): void {
    if ((tag & 7) > 5) {
      source.at--;
      throw notTag();
    }
    const number = tag >>> 3;
    const field = this.#fields.get(number);
    if ((tag & 7) !== END_GROUP && field !== undefined) {
      throw new WireProblem(`field ${field.name} (${number}) has wire type ${tag & 7}`);
    }
    const from = source.at;
    skipField(source, tag, MAX_DEPTH - depth);
    keepUnknown(message, number, tag & 7, source.copy(from, source.at));
  }
}

const readers = new WeakMap<DescMessage, WireMessageReader>();

/** Reads messages of a type. Created once per type. */
export function messageReader(desc: DescMessage): MessageFiller {
  return readers.get(desc) ?? new WireMessageReader(desc);
}
