import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { StatusError, encodeBadRequest } from '@apix/contracts';
import { ProtoRegistry } from '@apix/proto/core';
import { type DescMethod, type Message, create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedHandleCall,
  type StatusObject,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';

/** proto/transcoding, as the generate script wrote it. */
export const TRANSCODING = new URL('../../testdata/transcoding.binpb', import.meta.url);

/** A message whose fields the tests read by name. */
export type Loose = Message & Record<string, unknown>;

export function transcodingRegistry(): ProtoRegistry {
  return ProtoRegistry.load(new Uint8Array(readFileSync(TRANSCODING)));
}

/** The server of proto/transcoding, and what it saw. */
export interface EchoServer {
  readonly endpoint: string;
  /** Full names of the calls that reached it. */
  readonly calls: string[];
  /** How many calls it saw cancelled. */
  readonly cancelled: () => number;
  /** How many messages Count has written. */
  readonly written: () => number;
  stop(): void;
}

/** The service implementations, for any grpc-js server. */
export function echoHandlers(seen: {
  calls: string[];
  cancelled: number;
  written: number;
}): Record<string, Record<string, UntypedHandleCall>> {
  const unary =
    (reply: (request: Loose, call: ServerUnaryCall<Loose, Loose>) => Loose | Promise<Loose>) =>
    (call: ServerUnaryCall<Loose, Loose>, done: sendUnaryData<Loose>): void => {
      seen.calls.push(call.getPath());
      call.on('cancelled', () => (seen.cancelled += 1));
      void answer(call, reply, done);
    };
  const echo = unary((request) => request);
  return {
    'transcoding.v1.EchoService': {
      Query: echo,
      Whole: echo,
      Part: echo,
      Path: echo,
      Response: echo,
      Update: echo,
      Raw: echo,
      Upload: echo,
      Hidden: echo,
      Fail: unary(fail),
      Metadata: unary(metadata),
    },
    'transcoding.v1.StreamService': {
      Count: (call: ServerWritableStream<Loose, Loose>) => void count(call, seen),
      Download: (call: ServerWritableStream<Loose, Loose>) => {
        const parts = Number(call.request['to']);
        for (let part = 1; part <= parts; part += 1) {
          call.write({ contentType: 'text/csv', data: Buffer.from(`line ${part}\n`) } as never);
        }
        call.end();
      },
      Sum: (call: ServerReadableStream<Loose, Loose>, done: sendUnaryData<Loose>) => {
        let number = 0;
        call.on('data', (message: Loose) => (number += Number(message['number'])));
        call.on('end', () => done(null, { number, padding: '' } as never));
      },
      Chat: (call: ServerDuplexStream<Loose, Loose>) => {
        call.on('data', (message: Loose) => call.write(message));
        call.on('end', () => call.end());
        call.on('cancelled', () => (seen.cancelled += 1));
      },
    },
  };
}

async function answer(
  call: ServerUnaryCall<Loose, Loose>,
  reply: (request: Loose, call: ServerUnaryCall<Loose, Loose>) => Loose | Promise<Loose>,
  done: sendUnaryData<Loose>,
): Promise<void> {
  try {
    done(null, await reply(call.request, call), trailersOf(call.request));
  } catch (error) {
    done(serviceErrorOf(error));
  }
}

async function fail(request: Loose): Promise<Loose> {
  const { code, message, field, delayMs, unexpected } = request as Loose & {
    code: number;
    message: string;
    field: string;
    delayMs: number;
    unexpected: boolean;
  };
  if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
  if (unexpected) throw new Error('password=hunter2');
  const details =
    field === '' ? [] : [encodeBadRequest([{ field, description: message, reason: 'told' }])];
  if (code !== 0) throw new StatusError(code, message, { details });
  return {} as Loose;
}

function metadata(request: Loose, call: ServerUnaryCall<Loose, Loose>): Loose {
  const headers = new Metadata();
  for (const pair of request['headers'] as string[]) headers.add(...splitPair(pair));
  call.sendMetadata(headers);
  const received = Object.fromEntries(
    Object.keys(call.metadata.getMap()).map((key) => [key, call.metadata.get(key).join(' | ')]),
  );
  const deadline = Number(call.getDeadline());
  const remainingMs = Number.isFinite(deadline) ? deadline - Date.now() : 0;
  return { metadata: received, remainingMs } as never;
}

function trailersOf(request: Loose): Metadata {
  const trailers = new Metadata();
  for (const pair of (request['trailers'] ?? []) as string[]) trailers.add(...splitPair(pair));
  return trailers;
}

function splitPair(pair: string): [string, string] {
  const equals = pair.indexOf('=');
  return [pair.slice(0, equals), pair.slice(equals + 1)];
}

async function count(
  call: ServerWritableStream<Loose, Loose>,
  seen: { cancelled: number; written: number },
): Promise<void> {
  const { to, failCode, delayMs, padding } = call.request as Loose & {
    to: number;
    failCode: number;
    delayMs: number;
    padding: number;
  };
  call.on('cancelled', () => (seen.cancelled += 1));
  for (let number = 1; number <= to && !call.cancelled; number += 1) {
    if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
    seen.written += 1;
    const room = call.write({ number, padding: 'x'.repeat(padding) } as never);
    if (!room)
      await new Promise((resolve) => call.once('drain', resolve).once('cancelled', resolve));
  }
  if (failCode === 0) call.end();
  else call.emit('error', serviceErrorOf(new StatusError(failCode, 'told to fail')));
}

function serviceErrorOf(error: unknown): Partial<StatusObject> {
  if (!(error instanceof StatusError)) return { code: status.UNKNOWN, details: String(error) };
  const metadata = new Metadata();
  if (error.details.length > 0) metadata.set('grpc-status-details-bin', statusBytes(error));
  return { code: error.code as number, details: error.message, metadata };
}

function statusBytes(error: StatusError): Buffer {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.Varint).int32(error.code);
  writer.tag(2, WireType.LengthDelimited).string(error.message);
  for (const detail of error.details) {
    const any = create(AnySchema, detail);
    writer.tag(3, WireType.LengthDelimited).bytes(toBinary(AnySchema, any));
  }
  return Buffer.from(writer.finish());
}

/** Starts the echo server on a free port of the loopback interface. */
export async function startEchoServer(registry = transcodingRegistry()): Promise<EchoServer> {
  const seen = { calls: [] as string[], cancelled: 0, written: 0 };
  const server = new Server({ 'grpc.max_receive_message_length': -1 });
  for (const [name, handlers] of Object.entries(echoHandlers(seen))) {
    const service = registry.services.find((candidate) => candidate.typeName === name);
    const definition = Object.fromEntries(
      (service?.methods ?? []).map((method) => [method.name, definitionOf(method)]),
    );
    server.addService(definition, handlers);
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    endpoint: `127.0.0.1:${port}`,
    calls: seen.calls,
    cancelled: () => seen.cancelled,
    written: () => seen.written,
    stop: () => server.forceShutdown(),
  };
}

function definitionOf(method: DescMethod) {
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    requestStream:
      method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
    responseStream:
      method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
    requestSerialize: (message: Message) => Buffer.from(toBinary(method.input, message)),
    requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
    responseSerialize: (message: object) =>
      Buffer.from(toBinary(method.output, create(method.output, message as never))),
    responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
  };
}
