import {
  type DescExtension,
  type DescField,
  type DescMessage,
  ScalarType,
} from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { WireType } from '@bufbuild/protobuf/wire';
import { type ByteSink, LengthPrefix } from '../../bytes/byte-sink.js';
import { mapKeyCheck } from '../../values/map-key.js';
import { isGroup, type MapField, tagOf, valueTag, wireTypeOf } from '../../wire/wire-type.js';
import { writeTag } from '../../wire/write/writer.js';
import { scalarWriter } from '../../wire/write/scalar-writer.js';
import { addKey, readArray, readEntries } from './containers.js';
import { enumReader, isNullable } from './enums.js';
import type { JsonSource } from './json-source.js';
import { mapKeyReader } from './numbers.js';
import { type MemberReader, failUnset } from './object-members.js';
import { type TranscodeValue, scalarTranscoder } from './transcode-values.js';

/** The writer of a message type, by its JSON, without a tag and a length. */
export type TranscoderOf = (desc: DescMessage) => TranscodeValue;

type FieldOrExtension = DescField | DescExtension;

/** How a field is written from its JSON, with its tag. */
export function fieldTranscoder(
  field: FieldOrExtension,
  writerOf: TranscoderOf,
): MemberReader<ByteSink> {
  if (field.fieldKind === 'map') return { read: mapWriter(field, writerOf), nullUnsets: true };
  if (field.fieldKind !== 'list') {
    return { read: singleWriter(field, writerOf), nullUnsets: !isNullable(field) };
  }
  const write = field.packed ? packedWriter : listWriter;
  return { read: write(field, writerOf), nullUnsets: true };
}

function singleWriter(field: FieldOrExtension, writerOf: TranscoderOf): TranscodeValue {
  const write = elementWriter(field, writerOf);
  switch (field.presence) {
    case FeatureSet_FieldPresence.IMPLICIT:
      return skippingZero(write, field);
    case FeatureSet_FieldPresence.LEGACY_REQUIRED:
      return field.kind === 'field' && field.enum !== undefined ? demanding(write) : write;
    case FeatureSet_FieldPresence.EXPLICIT:
      return write;
  }
}

/** An enum's name that is ignored leaves even a required field unset. */
function demanding(write: TranscodeValue): TranscodeValue {
  return (source, sink) => {
    const before = sink.at;
    write(source, sink);
    if (sink.at === before) failUnset(source);
  };
}

/** Writes one value with its tag, if that is not 0; nothing for an enum's name that is ignored. */
function elementWriter(
  field: FieldOrExtension,
  writerOf: TranscoderOf,
  tag = valueTag(field),
): TranscodeValue {
  if (field.message !== undefined) return childWriter(field, writerOf(field.message), tag);
  if (field.enum === undefined) {
    const write = scalarTranscoder(field.scalar ?? ScalarType.STRING);
    return (source, sink) => {
      writeTag(sink, tag);
      write(source, sink);
    };
  }
  const readEnum = enumReader(field.enum);
  return (source, sink) => {
    const value = readEnum(source);
    if (value === undefined) return;
    writeTag(sink, tag);
    sink.int32(value);
  };
}

function childWriter(field: FieldOrExtension, write: TranscodeValue, tag: number): TranscodeValue {
  if (isGroup(field)) {
    const end = tagOf(field.number, WireType.EndGroup);
    return (source, sink) => {
      sink.varint32(tag);
      write(source, sink);
      sink.varint32(end);
    };
  }
  const prefix = new LengthPrefix();
  return (source, sink) => {
    sink.varint32(tag);
    const start = prefix.open(sink);
    write(source, sink);
    prefix.close(sink, start);
  };
}

/** A field without explicit presence is left out when it is zero: when it has only zero bytes. */
function skippingZero(write: TranscodeValue, field: FieldOrExtension): TranscodeValue {
  const tagBytes = tagWidth(field.number);
  return (source, sink) => {
    const before = sink.at;
    write(source, sink);
    const { bytes, at } = sink;
    for (let i = before + tagBytes; i < at; i += 1) if (bytes[i] !== 0) return;
    sink.at = before;
  };
}

/** Bytes of a field's tag, whatever its wire type. */
function tagWidth(number: number): number {
  return Math.ceil((35 - Math.clz32(number)) / 7);
}

function listWriter(field: FieldOrExtension, writerOf: TranscoderOf): TranscodeValue {
  const write = elementWriter(field, writerOf);
  const refusesNull = !isNullable(field);
  return (source, sink) => readArray(source, sink, write, refusesNull);
}

function packedWriter(field: FieldOrExtension, writerOf: TranscoderOf): TranscodeValue {
  const tag = tagOf(field.number, WireType.LengthDelimited);
  const write = elementWriter(field, writerOf, 0);
  const refusesNull = !isNullable(field);
  const prefix = new LengthPrefix();
  return (source, sink) => {
    const before = sink.at;
    sink.varint32(tag);
    const start = prefix.open(sink);
    readArray(source, sink, write, refusesNull);
    if (prefix.isEmpty(sink, start)) sink.at = before;
    else prefix.close(sink, start);
  };
}

function mapWriter(field: MapField, writerOf: TranscoderOf): TranscodeValue {
  const tag = tagOf(field.number, WireType.LengthDelimited);
  const readKey = mapKeyReader(field.mapKey);
  const keyTag = tagOf(1, wireTypeOf(field.mapKey));
  const keyOf = mapKeyCheck(field.mapKey);
  const writeKey = scalarWriter(field.mapKey);
  const writeElement = elementWriter(field, writerOf, valueTag(field, 2));
  const refusesNull = !isNullable(field);
  const prefix = new LengthPrefix();
  const writeEntry = (source: JsonSource, { sink, keys }: MapBeingWritten, text: string): void => {
    const key = readKey(source, text);
    addKey(source, keys, key);
    if (refusesNull && source.takeNull()) source.fail('map value must not be null');
    const before = sink.at;
    sink.varint32(tag);
    const start = prefix.open(sink);
    writeKey(sink, keyTag, keyOf(key), false);
    const value = sink.at;
    writeElement(source, sink);
    if (sink.at === value) sink.at = before;
    else prefix.close(sink, start);
  };
  return (source, sink) => readEntries(source, { sink, keys: new Set<string>() }, writeEntry);
}

interface MapBeingWritten {
  readonly sink: ByteSink;
  readonly keys: Set<string>;
}
