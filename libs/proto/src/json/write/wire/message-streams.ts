import { type DescField, type DescMessage, type Registry, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { WireType } from '@bufbuild/protobuf/wire';
import { bytesOf } from '../../../bytes/byte-sink.js';
import { enumNameWriter } from '../scalar-values.js';
import { fieldsInOrder, keyOf } from '../keys.js';
import { type JsonFragment, NULL, fragment, keyFragment, writeFragment } from '../fragments.js';
import type { WritePacked } from '../any-value.js';
import type { JsonWriteOptions } from '../write-value.js';
import { hasNull } from '../object-writer.js';
import { scalarZeroValue } from '@bufbuild/protobuf/reflect';
import { scalarReader } from '../../../wire/read/scalar-reader.js';
import { isGroup, tagOf, valueTag, wireTypeOf } from '../../../wire/wire-type.js';
import { streamList, streamPacked } from './stream-lists.js';
import { streamMap } from './stream-maps.js';
import { type WireField, WireFields, type WriteAbsent, streamObject } from './stream-object.js';
import { streamEnum, streamScalar } from './stream-scalars.js';
import { streamWellKnown, zeroOf } from './stream-well-known.js';
import {
  type StreamBody,
  type StreamField,
  type StreamValue,
  lengthPrefixed,
  stopStreaming,
} from './stream.js';

const EMPTY_LIST = fragment('[]');
const EMPTY_MAP = fragment('{}');
/** Oneofs have a bit each, of those that an integer has. */
const MOST_ONEOFS = 31;

/** The streams of message types from the wire, each compiled for its first message. */
export class MessageStreams {
  readonly #byType = new WeakMap<DescMessage, StreamBody>();

  constructor(
    private readonly registry: Registry,
    private readonly options: JsonWriteOptions,
    private readonly writePacked: WritePacked,
  ) {}

  of(desc: DescMessage): StreamBody {
    let body = this.#byType.get(desc);
    if (body === undefined) {
      body =
        streamWellKnown(desc, this.writePacked) ??
        streamObject(desc, () => this.#fields(desc), this.registry);
      this.#byType.set(desc, body);
    }
    return body;
  }

  #fields(desc: DescMessage): WireFields {
    const ordered = fieldsInOrder(desc, this.options.protoNames);
    const fields = ordered.map((field, position) => this.#field(field, position));
    const absent = ordered.map((field) => this.#absent(field));
    const isAnyAbsent = absent.some((write) => write !== undefined);
    return new WireFields(fields, isAnyAbsent ? absent : undefined);
  }

  #field(field: DescField, position: number): WireField {
    const chunkTag = tagOf(field.number, WireType.LengthDelimited);
    const tag = field.fieldKind === 'map' ? chunkTag : valueTag(field);
    const otherTag = field.fieldKind === 'list' ? chunkTag : tag;
    const oneof = field.oneof === undefined ? -1 : field.parent.oneofs.indexOf(field.oneof);
    const stream = oneof >= MOST_ONEOFS ? stopStreaming : this.#stream(field, tag, otherTag);
    return {
      number: field.number,
      position,
      key: keyFragment(keyOf(field, this.options.protoNames)),
      tag,
      otherTag,
      oneofBit: oneof < 0 ? 0 : 1 << oneof,
      stream,
    };
  }

  #stream(field: DescField, tag: number, otherTag: number): StreamField {
    if (isGroup(field)) return stopStreaming;
    const value = this.#value(field);
    const isEager = this.options.emitDefaults !== 'none';
    if (field.fieldKind === 'list') {
      if (otherTag === tag) return streamList(tag, value, isEager);
      const packed = { tag: otherTag, write: streamPacked(field.scalar, value) };
      return streamList(tag, value, isEager, packed);
    }
    if (field.fieldKind === 'map') {
      return streamMap(tag, {
        keyTag: tagOf(1, wireTypeOf(field.mapKey)),
        // Invalid UTF-8 ends streaming; reading the message decides whether it is an error.
        readKey: scalarReader(field.mapKey, { utf8Validation: true }),
        zeroKey: String(scalarZeroValue(field.mapKey, false)),
        valueTag: valueTag(field, 2),
        value,
        zeroValue: field.message === undefined ? this.#zero(field) : undefined,
      });
    }
    const skipZero = field.presence === FeatureSet_FieldPresence.IMPLICIT && !isEager;
    return (source, sink, key, depth) => value(source, sink, key, depth, skipZero);
  }

  #value(field: DescField): StreamValue {
    if (field.message !== undefined) return lengthPrefixed(this.of(field.message));
    if (field.enum === undefined) return streamScalar(field.scalar);
    return streamEnum(field.enum, this.options.enumsAsNumbers);
  }

  #absent(field: DescField): WriteAbsent | undefined {
    const json = this.#absentJson(field);
    if (json === undefined) {
      const isRequired = field.presence === FeatureSet_FieldPresence.LEGACY_REQUIRED;
      return isRequired ? stopStreaming : undefined;
    }
    const key = keyFragment(keyOf(field, this.options.protoNames));
    return (sink) => {
      writeFragment(sink, key);
      writeFragment(sink, json);
    };
  }

  #absentJson(field: DescField): JsonFragment | undefined {
    const { emitDefaults } = this.options;
    if (emitDefaults === 'none') return undefined;
    if (field.fieldKind === 'list') return EMPTY_LIST;
    if (field.fieldKind === 'map') return EMPTY_MAP;
    if (field.presence === FeatureSet_FieldPresence.IMPLICIT) return this.#zero(field);
    const isRequired = field.presence === FeatureSet_FieldPresence.LEGACY_REQUIRED;
    return emitDefaults === 'all' && !isRequired && hasNull(field) ? NULL : undefined;
  }

  #zero(field: DescField): JsonFragment {
    const { enum: type } = field;
    if (type === undefined) return zeroOf(field.scalar ?? ScalarType.INT32);
    const write = enumNameWriter(type, this.options.enumsAsNumbers);
    return fragment(bytesOf((sink) => write(sink, type.values[0]!.number)).toString());
  }
}
