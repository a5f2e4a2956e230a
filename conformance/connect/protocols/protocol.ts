import {
  type DescMessage,
  type DescMethod,
  fromBinary,
  fromJson,
  toJsonString,
} from '@bufbuild/protobuf';
import { type Any, anyUnpack } from '@bufbuild/protobuf/wkt';
import { Codec, type Compression } from '../suite/axes.js';
import { type Answer, type ClientCall, registry } from '../suite/schema.js';
import type { Failure, Outcome } from '../suite/verdict.js';
import { algorithmOf, decompressed } from '../wire/compression.js';
import type { Head, Response } from '../wire/connection.js';
import { envelope } from '../wire/frames.js';

/** How messages of one call are written. */
export interface Writing {
  readonly codec: Codec;
  readonly compression: Compression;
}

/** An outcome while it is read: each answer is told at once, for calls in both directions. */
export interface Reading {
  readonly onMessage: (answer: Answer) => void;
}

/** One protocol for one kind of call, on the client's side. */
export interface ClientProtocol {
  head(call: ClientCall, method: DescMethod, writing: Writing): Head;
  /** A message on the wire. */
  encode(message: Any, writing: Writing): Buffer;
  /** @throws ResetError, Error when the answer ends before its time. */
  read(response: Response, method: DescMethod, writing: Writing, reading: Reading): Promise<End>;
}

/** How an answer ended; its messages were told. */
export type End = Omit<Outcome, 'payloads'>;

export function codecName({ codec }: Writing): 'json' | 'proto' {
  return codec === Codec.json ? 'json' : 'proto';
}

export function compressionName({ compression }: Writing): string | undefined {
  return algorithmOf(compression)?.name;
}

export function encodeMessage(message: Any, { codec }: Writing): Uint8Array {
  if (codec === Codec.proto) return message.value;
  const unpacked = anyUnpack(message, registry);
  if (unpacked === undefined) throw new Error(`${message.typeUrl} is unknown`);
  const schema = registry.getMessage(unpacked.$typeName)!;
  return Buffer.from(toJsonString(schema, unpacked, { registry }));
}

export function decodeMessage(schema: DescMessage, data: Buffer, { codec }: Writing): Answer {
  return codec === Codec.proto
    ? fromBinary(schema, data)
    : fromJson(schema, JSON.parse(data.toString()), { registry });
}

export function compress(data: Uint8Array, { compression }: Writing): Uint8Array {
  return algorithmOf(compression)?.compress(data) ?? data;
}

/** The flag of a compressed message. */
export const COMPRESSED = 1;

/** A message in its envelope. */
export function encodeFrame(message: Any, writing: Writing): Buffer {
  const isCompressed = compressionName(writing) !== undefined;
  const data = compress(encodeMessage(message, writing), writing);
  return envelope(isCompressed ? COMPRESSED : 0, data);
}

/** Reads all of a body. */
export async function wholeBody(response: Response): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function one(response: Response, name: string): string | undefined {
  return response.headers.get(name)?.[0];
}

/** What a frame with the flag of compression holds. */
export function inflated(data: Buffer, name: string | undefined): Buffer {
  if (name === undefined || name === 'identity') {
    throw new Error('a message is compressed, and its answer names no compression');
  }
  return decompressed(name, data);
}

export function failure(code: number, message: string, details: readonly Any[] = []): Failure {
  return { code, message, details };
}
