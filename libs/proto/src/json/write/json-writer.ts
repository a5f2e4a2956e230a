import type { DescMessage, Message, Registry } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { wireCodec } from '../../wire/wire-codec.js';
import type { WireSource } from '../../wire/wire-source.js';
import { NOTHING, writeFragment } from './fragments.js';
import {
  type JsonWriteOptions,
  unexpected,
  type Fields,
  type WriteValue,
  isObject,
} from './write-value.js';
import { MessageStreams } from './wire/message-streams.js';
import { type WritePacked, anyWriter, packedWriter } from './any-value.js';
import {
  writeFieldMask,
  type WriteTime,
  writeDuration,
  writeTimeOf,
  writeTimestamp,
} from './well-known-values.js';
import { wrappedType } from '../../values/local-form.js';
import { type ObjectOptions, objectWriter } from './object-writer.js';
import { jsonScalarWriter } from './scalar-values.js';
import { writeListValue, writeJsonStruct, writeValueMessage } from './struct-values.js';

/** Writes ProtoJSON as UTF-8. */
export interface JsonWriter {
  /**
   * Appends a message. Discard what it appended before it threw.
   *
   * @throws Error whose message begins with the place, such as `$.items[3].price`, for a value that the
   *   wire format would refuse or that has no JSON form.
   */
  readonly message: (desc: DescMessage, message: Message, sink: ByteSink) => void;
  /**
   * Appends the content of a source from `at` to its `end` as {@link message} writes the message that
   * protobuf-es reads there, usually without creating it. Throws as it does, and for bytes that are not a
   * message.
   */
  readonly wire: (desc: DescMessage, source: WireSource, sink: ByteSink) => void;
}

const writers = new WeakMap<Registry, Map<string, JsonWriter>>();

/**
 * The writer for some options, which compiles each message type once, however many ask for it.
 *
 * @param registry resolves google.protobuf.Any and extensions.
 */
export function jsonWriter(registry: Registry, options: JsonWriteOptions): JsonWriter {
  let ofRegistry = writers.get(registry);
  if (ofRegistry === undefined) writers.set(registry, (ofRegistry = new Map()));
  const { emitDefaults, protoNames, enumsAsNumbers } = options;
  const key = `${emitDefaults} ${protoNames} ${enumsAsNumbers}`;
  let writer = ofRegistry.get(key);
  if (writer === undefined) ofRegistry.set(key, (writer = compile(registry, options)));
  return writer;
}

function compile(registry: Registry, options: JsonWriteOptions): JsonWriter {
  const messages = new MessageWriters(registry, options);
  const streams = new MessageStreams(registry, options, messages.writePacked);
  return {
    message: (desc, message, sink) => messages.of(desc)(sink, NOTHING, message, 1),
    wire(desc, source, sink) {
      const { at, end } = source;
      const start = sink.at;
      try {
        streams.of(desc)(source, sink, NOTHING, 1);
      } catch {
        // Why: docs/decisions/0002
        sink.at = start;
        source.at = end;
        source.end = end;
        const message = wireCodec(desc).decodePartial(source.bytes.subarray(at, end));
        messages.of(desc)(sink, NOTHING, message, 1);
      }
    },
  };
}

/** The writers of message types, each compiled when the first message of its type comes. */
export class MessageWriters {
  readonly #byType = new WeakMap<DescMessage, WriteValue>();
  readonly #options: ObjectOptions;
  /** Writes what an Any holds. There and in extensions nothing is null because it is not set. */
  readonly writePacked: WritePacked;

  constructor(registry: Registry, options: JsonWriteOptions) {
    const inner: MessageWriters =
      options.emitDefaults === 'all'
        ? new MessageWriters(registry, { ...options, emitDefaults: 'values' })
        : this;
    const values = {
      enumsAsNumbers: options.enumsAsNumbers,
      isEager: options.emitDefaults !== 'none',
    };
    this.#options = {
      ...values,
      message: (desc) => this.of(desc),
      registry,
      protoNames: options.protoNames,
      nulls: options.emitDefaults === 'all',
      inExtensions: { ...values, message: (desc) => inner.of(desc) },
    };
    this.writePacked = packedWriter(registry, (desc) => inner.of(desc));
  }

  of(desc: DescMessage): WriteValue {
    let writer = this.#byType.get(desc);
    if (writer === undefined) {
      writer = this.#compile(desc);
      this.#byType.set(desc, writer);
    }
    return writer;
  }

  #compile(desc: DescMessage): WriteValue {
    switch (desc.typeName) {
      case 'google.protobuf.Any':
        return anyWriter(this.writePacked);
      case 'google.protobuf.Timestamp':
        return timeWriter(desc, writeTimestamp);
      case 'google.protobuf.Duration':
        return timeWriter(desc, writeDuration);
      case 'google.protobuf.FieldMask':
        return ofType(desc, (sink, key, { paths }) => writeFieldMask(sink, key, paths));
      case 'google.protobuf.Struct':
        return writeJsonStruct;
      case 'google.protobuf.Value':
        return writeValueMessage;
      case 'google.protobuf.ListValue':
        return writeListValue;
      default: {
        const wrapped = wrappedType(desc);
        if (wrapped === undefined) return objectWriter(desc, this.#options);
        const write = jsonScalarWriter(wrapped);
        return ofType(desc, (sink, key, { value }) => write(sink, key, value, 0));
      }
    }
  }
}

function timeWriter(desc: DescMessage, write: WriteTime): WriteValue {
  return ofType(desc, (sink, key, message) => writeTimeOf(write, sink, key, message));
}

type WriteFields = (...args: [...Parameters<typeof writeFragment>, Fields]) => void;

function ofType(desc: DescMessage, write: WriteFields): WriteValue {
  const { typeName } = desc;
  return (sink, key, value) => {
    if (!isObject(value) || value['$typeName'] !== typeName) {
      unexpected(`a message ${typeName}`, value);
    }
    write(sink, key, value);
  };
}
