import type { DescField, DescOneof } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import { WireType } from '@bufbuild/protobuf/wire';
import { type ByteSink, LengthPrefix } from '../../bytes/byte-sink.js';
import type { MessageMembers } from '../../message/message-shape.js';
import { enumCheck } from '../../values/scalar-value.js';
import { guarded, HIDDEN_PROBLEM, isRedacted } from '../../redact/redacted-field.js';
import { ValueError, within, entryStep } from '../../values/value-error.js';
import {
  type ListField,
  type MapField,
  tagOf,
  valueTag,
  wireTypeOf,
  type MessageField,
  isGroup,
} from '../wire-type.js';
import { listValue, mapValue, oneofValue, refuseCase } from '../../values/holder-value.js';
import { mapKeyCheck } from '../../values/map-key.js';
import { int32Writer, scalarWriter } from './scalar-writer.js';
import {
  type BodyWriter,
  type FieldWriter,
  type ValueWriter,
  type WriterOf,
  checkDepth,
  writeTag,
} from './writer.js';
import { localForm } from '../../values/local-form.js';
import { writeStruct } from './struct-writer.js';

/** Writes a field that is in no oneof. */
export function fieldWriter(field: DescField, writerOf: WriterOf): FieldWriter {
  if (field.fieldKind === 'list') return guardedWriter(field, listWriter(field, writerOf));
  if (field.fieldKind === 'map') return guardedWriter(field, mapWriter(field, writerOf));
  const { localName } = field;
  if (field.presence === Presence.IMPLICIT && field.message === undefined) {
    const tag = valueTag(field);
    const write = valueWriter(field);
    return guardedWriter(field, (sink, message) => write(sink, tag, message[localName], true));
  }
  return withPresence(field, guardedWriter(field, elementWriter(field, writerOf)));
}

/** Writes one value of a field with its tag: also the zero of its type. */
function elementWriter(field: DescField, writerOf: WriterOf, number = field.number): BodyWriter {
  if (field.message !== undefined) return bodyWriter(field, writerOf, number);
  const tag = valueTag(field, number);
  const write = valueWriter(field);
  return (sink, value) => write(sink, tag, value, false);
}

function valueWriter(field: DescField): ValueWriter {
  if (field.enum === undefined) return scalarWriter(field.scalar!);
  return int32Writer(enumCheck(field));
}

/** The same, whose errors do not repeat a value that is not to be shown. */
function guardedWriter<T>(
  field: DescField,
  write: (sink: ByteSink, value: T, depth: number) => void,
): (sink: ByteSink, value: T, depth: number) => void {
  return guarded(isRedacted(field), write, Boolean, () => {
    throw new ValueError(HIDDEN_PROBLEM);
  });
}

/** A member of the prototype is a default value, not one that was set. */
function withPresence(field: DescField, write: BodyWriter): FieldWriter {
  const { localName } = field;
  const isRequired = field.presence === Presence.LEGACY_REQUIRED;
  return (sink: ByteSink, message: MessageMembers, depth: number) => {
    const value = message[localName];
    if (value !== undefined && Object.hasOwn(message, localName)) write(sink, value, depth);
    else if (isRequired) throw new ValueError('a required field that is not set');
  };
}

/** Writes the items of a list: one by one, or packed into one value. */
function listWriter(field: ListField, writerOf: WriterOf): FieldWriter {
  const { localName } = field;
  if (!field.packed) return eachItem(localName, elementWriter(field, writerOf));
  const tag = tagOf(field.number, WireType.LengthDelimited);
  const write = valueWriter(field);
  const length = new LengthPrefix();
  return (sink, message) => {
    const items = listValue(message[localName]);
    if (items.length === 0) return;
    writeTag(sink, tag);
    const start = length.open(sink);
    let i = 0;
    try {
      for (; i < items.length; i++) write(sink, 0, items[i], false);
    } catch (error) {
      throw within(`[${i}]`, error);
    }
    length.close(sink, start);
  };
}

function eachItem(localName: string, write: BodyWriter): FieldWriter {
  return (sink, message, depth) => {
    const items = listValue(message[localName]);
    let i = 0;
    try {
      for (; i < items.length; i++) write(sink, items[i], depth);
    } catch (error) {
      throw within(`[${i}]`, error);
    }
  };
}

/** Writes the entries of a map, in the order of the object that has them. */
function mapWriter(field: MapField, writerOf: WriterOf): FieldWriter {
  const { localName, mapKey } = field;
  const tag = tagOf(field.number, WireType.LengthDelimited);
  const keyTag = tagOf(1, wireTypeOf(mapKey));
  const keyOf = mapKeyCheck(mapKey);
  const writeKey = scalarWriter(mapKey);
  const writeValue = elementWriter(field, writerOf, 2);
  const length = new LengthPrefix();
  return (sink, message, depth) => {
    const entries = mapValue(message[localName]);
    for (const key of Object.keys(entries)) {
      writeTag(sink, tag);
      const start = length.open(sink);
      try {
        writeKey(sink, keyTag, keyOf(key), false);
        writeValue(sink, entries[key], depth);
      } catch (error) {
        throw within(entryStep(key), error);
      }
      length.close(sink, start);
    }
  };
}

/**
 * Writes some fields of a oneof, if one of them is selected: those that have no field of another member
 * between their numbers, because fields are written by number. The path of its errors has the selected
 * field, or the oneof.
 */
export function oneofWriter(
  oneof: DescOneof,
  fields: readonly DescField[],
  writerOf: WriterOf,
): FieldWriter {
  const { localName } = oneof;
  const cases = oneof.fields.map((field) => field.localName);
  const writers = new Map<unknown, BodyWriter>();
  for (const field of fields) {
    writers.set(field.localName, guardedWriter(field, elementWriter(field, writerOf)));
  }
  const oneofStep = `.${localName}`;
  const hides = oneof.fields.some(isRedacted);
  return (sink, message, depth) => {
    const member = message[localName];
    let step = oneofStep;
    try {
      const selected = oneofValue(member);
      const name = selected.case;
      if (name === undefined) return;
      const write = writers.get(name);
      if (write !== undefined) {
        step = `.${name as string}`;
        write(sink, selected.value, depth);
      } else if (!cases.includes(name as string)) refuseCase(name, cases);
    } catch (error) {
      // What is there instead of a case may be the value itself.
      const hidden = hides && step === oneofStep;
      throw within(step, hidden ? new ValueError(HIDDEN_PROBLEM) : error);
    }
  };
}

/** Writes the messages of a field, each with its tag. */
function bodyWriter(field: MessageField, writerOf: WriterOf, number: number): BodyWriter {
  const write = formWriter(field, writerOf);
  if (isGroup(field)) {
    const startTag = tagOf(number, WireType.StartGroup);
    const endTag = tagOf(number, WireType.EndGroup);
    return (sink, value, depth) => {
      writeTag(sink, startTag);
      write(sink, value, depth + 1);
      writeTag(sink, endTag);
    };
  }
  const tag = tagOf(number, WireType.LengthDelimited);
  const length = new LengthPrefix();
  return (sink, value, depth) => {
    writeTag(sink, tag);
    const start = length.open(sink);
    write(sink, value, depth + 1);
    length.close(sink, start);
  };
}

function formWriter(field: MessageField, writerOf: WriterOf): BodyWriter {
  switch (localForm(field)) {
    case 'struct':
      return writeStruct;
    case 'wrapper':
      return wrapperWriter(field);
    case 'message': {
      let write: BodyWriter | undefined;
      return (sink: ByteSink, value: unknown, depth: number) =>
        (write ??= writerOf(field.message))(sink, value, depth);
    }
  }
}

/** A field keeps the value alone, and its message has the zero too, so that is not written. */
function wrapperWriter({ message }: MessageField): BodyWriter {
  const scalar = message.fields[0]!.scalar!;
  const write = scalarWriter(scalar);
  const tag = tagOf(1, wireTypeOf(scalar));
  return (sink, value, depth) => {
    checkDepth(depth);
    write(sink, tag, value, true);
  };
}
