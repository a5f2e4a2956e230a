import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { type WritePacked, anyWriter, packedWriter } from './any-value.js';
import {
  writeFieldMask,
  type WriteTime,
  writeDuration,
  writeTimeOf,
  writeTimestamp,
} from './well-known-values.js';
import { writeFragment } from './fragments.js';
import { wrappedType } from '../../values/local-form.js';
import { type ObjectOptions, objectWriter } from './object-writer.js';
import { jsonScalarWriter } from './scalar-values.js';
import { writeListValue, writeJsonStruct, writeValueMessage } from './struct-values.js';
import { unexpected, type Fields, type WriteValue, isObject } from './write-value.js';

export interface JsonWriteOptions {
  readonly emitDefaults: 'none' | 'values' | 'all';
  readonly protoNames: boolean;
  readonly enumsAsNumbers: boolean;
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
