import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import type { MessageMembers } from '../../message/message-shape.js';
import { messageValue, listValue } from '../../values/holder-value.js';
import { within, refuse } from '../../values/value-error.js';
import { bytesValue } from '../../values/scalar-value.js';
import { skipField } from '../skip-field.js';
import { WireProblem, MAX_DEPTH } from '../wire-error.js';
import { WireSource } from '../wire-source.js';
import { fieldWriter, oneofWriter } from './field-writer.js';
import { checkDepth } from './struct-writer.js';
import { type BodyWriter, type FieldWriter, writeTag } from './writer.js';

const writers = new WeakMap<DescMessage, BodyWriter>();

/** Writes the fields of messages of a type, by their numbers. Created once per type. */
export function messageWriter(desc: DescMessage): BodyWriter {
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
