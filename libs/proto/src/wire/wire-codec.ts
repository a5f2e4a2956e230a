import type { Buffer } from 'node:buffer';
import type { DescMessage, Message, DescField } from '@bufbuild/protobuf';
import { type ByteSink, bytesOf } from '../bytes/byte-sink.js';
import { MessageShape, type MessageMembers } from '../message/message-shape.js';
import { mayLackFields, missingField } from '../message/required-fields.js';
import { noteTypes } from '../redact/note-types.js';
import { within, refuse } from '../values/value-error.js';
import { type MessageFiller, type WireFieldReader, keepUnknown } from './read/reader.js';
import { WireError, WireProblem, MAX_DEPTH, notTag, tooDeep } from './wire-error.js';
import { WireSource } from './wire-source.js';
import { skipField } from './skip-field.js';
import { fieldReaders } from './read/field-reader.js';
import { messageValue, listValue } from '../values/holder-value.js';
import { bytesValue } from '../values/scalar-value.js';
import { fieldWriter, oneofWriter } from './write/field-writer.js';
import { type BodyWriter, type FieldWriter, checkDepth, writeTag } from './write/writer.js';

/** Messages of one type to the wire and back. They are those of protobuf-es. */
export class WireCodec {
  readonly #shape: MessageShape;
  readonly #filler: MessageFiller;
  readonly #mayLack: boolean;
  readonly #write: (sink: ByteSink, message: unknown, depth: number) => void;

  constructor(private readonly desc: DescMessage) {
    noteTypes([desc.file]);
    this.#shape = MessageShape.of(desc);
    this.#filler = messageReader(desc);
    this.#mayLack = mayLackFields(desc);
    this.#write = messageWriter(desc);
  }

  /**
   * Reads a message. Fields without a name are kept as unknown; nothing of it shares memory with
   * the bytes.
   *
   * @throws WireError for bytes that are not a message of the type, lack a required field, or hold messages
   *   inside one another more than 100 levels deep
   */
  decode(bytes: Uint8Array): Message {
    const message = this.decodePartial(bytes);
    // Why: docs/decisions/0386
    const place = this.#mayLack ? missingField(this.desc, message) : undefined;
    if (place === undefined) return message;
    const problem = `the required field ${place} is not set`;
    throw new WireError(this.desc.typeName, problem, bytes.length);
  }

  /** Reads a message as {@link decode} does, which may lack required fields. @throws WireError */
  decodePartial(bytes: Uint8Array): Message {
    const message = this.#shape.empty();
    const source = new WireSource(bytes);
    try {
      this.read(source, message);
    } catch (error) {
      if (!(error instanceof WireProblem)) throw error;
      throw new WireError(this.desc.typeName, error.message, source.at, { cause: error });
    }
    return message;
  }

  /**
   * Writes a message.
   *
   * @throws ValueError for a message that is not of the type, or has a value that its field cannot hold.
   *   The error names the place: `shop.v1.Order.lines[2].quantity: expected an integer (int32), got 1.5`
   */
  encode(message: Message): Buffer {
    return bytesOf((sink) => this.write(message, sink));
  }

  /** Reads what is left of a source into a message. */
  read(source: WireSource, message: Message): void {
    this.#filler.read(source, message, 1, 0);
  }

  /** Appends a message to a sink; nothing is said of where it ends. */
  write(message: Message, sink: ByteSink): void {
    try {
      this.#write(sink, message, 1);
    } catch (error) {
      throw within(this.desc.typeName, error);
    }
  }
}

const codecs = new WeakMap<DescMessage, WireCodec>();

/** The codec of a message type. It is made once, from the descriptor. */
export function wireCodec(desc: DescMessage): WireCodec {
  let codec = codecs.get(desc);
  if (codec === undefined) codecs.set(desc, (codec = new WireCodec(desc)));
  return codec;
}

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
function messageReader(desc: DescMessage): MessageFiller {
  return readers.get(desc) ?? new WireMessageReader(desc);
}

const writers = new WeakMap<DescMessage, BodyWriter>();

/** Writes the fields of messages of a type, by their numbers. Created once per type. */
function messageWriter(desc: DescMessage): BodyWriter {
  let writer = writers.get(desc);
  if (writer === undefined) writers.set(desc, (writer = compile(desc)));
  return writer;
}

function compile(desc: DescMessage): BodyWriter {
  const members = membersByNumber(desc);
  const steps = members.map(({ step }) => step);
  const parts = members.map(({ write }) => write);
  return (sink: ByteSink, value: unknown, depth: number) => {
    checkDepth(depth);
    const message = messageValue(value, desc) as unknown as MessageMembers;
    let i = 0;
    try {
      for (; i < parts.length; i++) parts[i]!(sink, message, depth);
    } catch (error) {
      throw within(steps[i]!, error);
    }
    if (message['$unknown'] !== undefined) writeUnknown(sink, message['$unknown'], depth);
  };
}

/** The writer of a member, and the part of a path that its errors get. */
interface MemberWriter {
  readonly step: string;
  readonly write: FieldWriter;
}

function membersByNumber(desc: DescMessage): readonly MemberWriter[] {
  const runs: DescField[][] = [];
  for (const field of desc.fields.toSorted((a, b) => a.number - b.number)) {
    const run = runs.at(-1);
    if (field.oneof !== undefined && run?.[0]?.oneof === field.oneof) run.push(field);
    else runs.push([field]);
  }
  return runs.map((fields) => {
    const [field] = fields as [DescField];
    const { oneof } = field;
    if (oneof === undefined) {
      return { step: `.${field.localName}`, write: fieldWriter(field, messageWriter) };
    }
    return { step: '', write: oneofWriter(oneof, fields, messageWriter) };
  });
}

const LARGEST_NUMBER = 2 ** 29 - 1;

/** Writes the fields that a message has kept without knowing them, extensions among them. */
function writeUnknown(sink: ByteSink, value: unknown, depth: number): void {
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
    skipField(source, tag, MAX_DEPTH - depth);
    return source.at === bytes.length;
  } catch (error) {
    if (error instanceof WireProblem) return false;
    throw error;
  }
}
