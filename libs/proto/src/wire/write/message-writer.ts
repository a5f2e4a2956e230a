import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import type { MessageMembers } from '../../message/message-shape.js';
import { messageValue } from '../../values/holder-value.js';
import { within } from '../../values/value-error.js';
import { fieldWriter } from './field-writer.js';
import { oneofWriter } from './oneof-writer.js';
import { checkDepth } from './struct-writer.js';
import { writeUnknown } from './unknown-writer.js';
import type { BodyWriter, FieldWriter } from './writer.js';

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
