// The six ways of each engine, all between the bytes that HTTP and gRPC have and their own messages.
import { readFileSync } from 'node:fs';
import { JsonCodec, type JsonCodecOptions, ProtoRegistry } from '@apix/proto/core';
import * as proto from '@apix/proto/core';
import {
  type DescMessage,
  type Message,
  fromBinary,
  fromJsonString,
  toBinary,
  toJsonString,
} from '@bufbuild/protobuf';

export const WAYS = [
  'JSON to message',
  'message to JSON',
  'wire to message',
  'message to wire',
  'JSON to wire',
  'wire to JSON',
] as const;
export type Way = (typeof WAYS)[number];

/** How many times as fast as protobuf-es each way is to be. */
export const GOALS: Readonly<Record<Way, number>> = {
  'JSON to message': 2,
  'message to JSON': 2,
  'wire to message': 1.3,
  'message to wire': 1.3,
  'JSON to wire': 2.5,
  'wire to JSON': 2.5,
};

/** Each way on one document; undefined: the engine has none. */
export type Ways = Partial<Record<Way, () => unknown>>;

/** A class of protobufjs' static code. */
export interface StaticType {
  decode(bytes: Uint8Array): object;
  encode(message: object): { finish(): Uint8Array };
  fromObject(json: object): object;
  toObject(message: object, options: object): object;
}

const descriptors = new Uint8Array(readFileSync(process.env['DESCRIPTORS'] ?? ''));
const loaded = ProtoRegistry.load(descriptors);
export const { registry } = loaded;
/** With as much of the compiled codec as is not there yet. */
export interface Codec extends JsonCodec {
  encodeBytes?(desc: DescMessage, message: Message): Buffer;
  toWire?(desc: DescMessage, json: Uint8Array): Buffer;
  fromWire?(desc: DescMessage, wire: Uint8Array): Buffer;
}
export const codecOf = (options: JsonCodecOptions): Codec => new JsonCodec(registry, options);
export const codec = codecOf({});

interface WireCodec {
  decode(bytes: Uint8Array): Message;
  encode(message: Message): Uint8Array;
}
const { wireCodec } = proto as { wireCodec?: (desc: DescMessage) => WireCodec };

export function descOf(type: string): DescMessage {
  const desc = registry.getMessage(`bench.shapes.${type}`);
  if (desc === undefined) throw new Error(`${type} is not in shapes.proto`);
  return desc;
}

export function ours(desc: DescMessage, json: Buffer, wire: Buffer): Ways {
  const onWire = wireCodec?.(desc);
  const message = onWire?.decode(wire) ?? fromBinary(desc, wire);
  return {
    'JSON to message': () => codec.decode(desc, json),
    'message to JSON': () =>
      codec.encodeBytes?.(desc, message) ?? Buffer.from(codec.encode(desc, message)),
    ...(onWire && {
      'wire to message': () => onWire.decode(wire),
      'message to wire': () => onWire.encode(message),
    }),
    ...(codec.toWire && { 'JSON to wire': () => codec.toWire!(desc, json) }),
    ...(codec.fromWire && { 'wire to JSON': () => codec.fromWire!(desc, wire) }),
  };
}

export function protobufEs(desc: DescMessage, json: Buffer, wire: Buffer): Ways {
  const message = fromBinary(desc, wire);
  const read = (): Message => fromJsonString(desc, json.toString(), { registry });
  const write = (from: Message): Buffer => Buffer.from(toJsonString(desc, from, { registry }));
  return {
    'JSON to message': read,
    'message to JSON': () => write(message),
    'wire to message': () => fromBinary(desc, wire),
    'message to wire': () => toBinary(desc, message),
    'JSON to wire': () => toBinary(desc, read()),
    'wire to JSON': () => write(fromBinary(desc, wire)),
  };
}

const AS_JSON = { longs: String, enums: String, bytes: String };

export function protobufjs(type: StaticType, json: Buffer, wire: Buffer): Ways {
  const message = type.decode(wire);
  const read = (): object => type.fromObject(JSON.parse(json.toString()) as object);
  const write = (from: object): Buffer => Buffer.from(JSON.stringify(type.toObject(from, AS_JSON)));
  return {
    'JSON to message': read,
    'message to JSON': () => write(message),
    'wire to message': () => type.decode(wire),
    'message to wire': () => type.encode(message).finish(),
    'JSON to wire': () => type.encode(read()).finish(),
    'wire to JSON': () => write(type.decode(wire)),
  };
}

/** What no reader or writer of JSON in JavaScript is expected to beat. */
export function nativeJson(json: Buffer): Ways {
  const value: unknown = JSON.parse(json.toString());
  return {
    'JSON to message': () => JSON.parse(json.toString()),
    'message to JSON': () => Buffer.from(JSON.stringify(value)),
  };
}
