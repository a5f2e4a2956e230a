import { type DescMessage, type Message, create } from '@bufbuild/protobuf';
import { bytesOf } from '../../bytes/byte-sink.js';
import { KindsSchema, kinds } from '../../kinds.fixture.js';
import { WireSource } from '../../wire/wire-source.js';
import { jsonWriter } from './json-writer.js';
import type { JsonWriteOptions } from './write-value.js';

export const { registry } = kinds;
export const PLAIN = { emitDefaults: 'none', protoNames: false, enumsAsNumbers: false } as const;
export const WrittenSchema = registry.getMessage('apix.testdata.Written')!;
export const DemandingSchema = registry.getMessage('apix.testdata.Demanding')!;

export function written(
  desc: DescMessage,
  message: Message,
  options: JsonWriteOptions = PLAIN,
): string {
  const writer = jsonWriter(registry, options);
  return bytesOf((sink) => writer.message(desc, message, sink)).toString();
}

export function streamed(
  desc: DescMessage,
  wire: Uint8Array,
  options: JsonWriteOptions = PLAIN,
): string {
  const writer = jsonWriter(registry, options);
  return bytesOf((sink) => writer.wire(desc, new WireSource(wire), sink)).toString();
}

/** A message of every kind with some fields as a careless handler may have set them. */
export function careless(fields: object): Message {
  return Object.assign(create(KindsSchema), fields);
}
