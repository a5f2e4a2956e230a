import {
  type DescField,
  type DescMessage,
  type Message,
  getExtension,
  type Registry,
} from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { fieldsInOrder, keyOf } from './keys.js';
import { type JsonFragment, closeObject, keyFragment, writeFragment } from './fragments.js';
import {
  type ValueOptions,
  jsonFieldWriter,
  type OneofCase,
  type WriteMember,
  eagerMember,
  explicitMember,
  implicitMember,
  oneofMember,
  selectedName,
} from './members.js';
import {
  leaving,
  unexpected,
  type Fields,
  type WriteValue,
  checkJsonDepth,
  isObject,
} from './write-value.js';

export interface ObjectOptions extends ValueOptions {
  readonly registry: Registry;
  readonly protoNames: boolean;
  /** Writes null for messages that are not set. */
  readonly nulls: boolean;
  /** How extensions are written, whatever their message is written with. */
  readonly inExtensions: ValueOptions;
}

/** Writes messages of a type as JSON objects; its fields are compiled for the first of them. */
export function objectWriter(desc: DescMessage, options: ObjectOptions): WriteValue {
  const { typeName } = desc;
  let members: MemberWriters | undefined;
  return (sink, key, value, depth) => {
    checkJsonDepth(depth);
    if (!isObject(value) || value['$typeName'] !== typeName) {
      unexpected(`a message ${typeName}`, value);
    }
    members ??= membersOf(desc, options);
    const { writers } = members;
    writeFragment(sink, key);
    const start = sink.at;
    let i = 0;
    try {
      for (; i < writers.length; i++) writers[i]!(sink, value, depth + 1);
    } catch (error) {
      throw leaving(error, members.places[i]!(value));
    }
    if (value['$unknown'] !== undefined) writeExtensions(desc, options, sink, value, depth + 1);
    closeObject(sink, start);
  };
}

interface MemberWriters {
  readonly writers: WriteMember[];
  /** The field that each of them writes. */
  readonly places: ((message: Fields) => string)[];
}

function membersOf(desc: DescMessage, options: ObjectOptions): MemberWriters {
  const writers: WriteMember[] = [];
  const places: ((message: Fields) => string)[] = [];
  const fields = fieldsInOrder(desc, options.protoNames);
  let cases: OneofCase[] = [];
  for (const [index, field] of fields.entries()) {
    const key = keyFragment(keyOf(field, options.protoNames));
    const name = field.localName;
    const write = jsonFieldWriter(field, options);
    const { oneof } = field;
    if (oneof === undefined) {
      writers.push(memberOf(field, key, write, options));
      places.push(() => name);
      continue;
    }
    cases.push({ name, key, write });
    if (fields[index + 1]?.oneof === oneof) continue;
    writers.push(oneofMember(oneof, cases));
    places.push((message) => selectedName(message, oneof));
    cases = [];
  }
  return { writers, places };
}

function memberOf(
  field: DescField,
  key: JsonFragment,
  write: WriteValue,
  options: ObjectOptions,
): WriteMember {
  if (field.fieldKind === 'list' || field.fieldKind === 'map') {
    return eagerMember(field.localName, key, write);
  }
  if (field.presence === FeatureSet_FieldPresence.IMPLICIT) {
    return options.isEager
      ? eagerMember(field.localName, key, write)
      : implicitMember(field, key, write);
  }
  return explicitMember(field, key, write, options.nulls && hasNull(field));
}

/** An unset google.protobuf.Value is not written as null, because null is one of its values. */
export function hasNull(field: DescField): boolean {
  return (
    field.fieldKind === 'message' &&
    field.oneof === undefined &&
    field.message.typeName !== 'google.protobuf.Value'
  );
}

/** Writes the unknown fields that the registry knows, each once, where it occurred first. */
function writeExtensions(
  desc: DescMessage,
  { registry, inExtensions }: ObjectOptions,
  sink: ByteSink,
  message: Fields,
  depth: number,
): void {
  const typed = message as Fields & Message;
  const numbers = new Set(typed.$unknown?.map(({ no }) => no));
  for (const number of numbers) {
    const extension = registry.getExtensionFor(desc, number);
    if (extension === undefined) continue;
    const write = jsonFieldWriter(extension, inExtensions);
    try {
      write(sink, keyFragment(extension.jsonName), getExtension(typed, extension), depth);
    } catch (error) {
      throw leaving(error, extension.jsonName);
    }
  }
}
