// The calls that are measured, from and to bytes, so that the client costs as little as it can.
import { type Client, Metadata, type ServiceError } from '@grpc/grpc-js';
import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import { type DescMessage, type JsonValue, fromJson, toBinary } from '@bufbuild/protobuf';
import { documentOf, list100, small } from '../shapes/shapes.ts';

const STREAMED = 1_000;

const { registry } = ProtoRegistry.load(readFileSync(process.env['SHAPES'] ?? ''));

function bytesOf(type: string, document: unknown): Buffer {
  const desc = registry.getMessage(`bench.shapes.${type}`) as DescMessage;
  return Buffer.from(toBinary(desc, fromJson(desc, document as JsonValue)));
}

/** A kind of call. */
export interface Measured {
  readonly name: string;
  /** How many are under way together. */
  readonly atOnce: number;
  readonly streams: boolean;
  call(client: Client): Promise<void>;
}

const same = (bytes: Buffer): Buffer => bytes;
const metadata = new Metadata();
metadata.set('x-role', 'staff');
const pathOf = (method: string): string => `/bench.shapes.Shop/${method}`;

type Done = (error: ServiceError | null) => void;
const settled = (begin: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => begin((error) => (error === null ? resolve() : reject(error))));

const unary =
  (method: string, request: Buffer) =>
  (client: Client): Promise<void> =>
    settled((done) =>
      client.makeUnaryRequest(pathOf(method), same, same, request, metadata, (error) =>
        done(error),
      ),
    );

const product = bytesOf(small.type, small.document(1));

/** Ends well when so many answers came and the status is OK. */
function counted(
  call: { on(event: string, listener: (value: never) => void): unknown },
  expected: number,
  done: Done,
): void {
  let answers = 0;
  call.on('data', () => answers++);
  call.on('error', done);
  call.on('end', () => {
    if (answers === expected) done(null);
  });
}

export const CALLS: readonly Measured[] = [
  {
    name: 'unary, small',
    atOnce: 64,
    streams: false,
    call: unary('Get', bytesOf('GetRequest', { name: 'products/pot' })),
  },
  {
    name: 'unary, answer of 100',
    atOnce: 16,
    streams: false,
    call: unary('List', bytesOf('Amount', { items: 100 })),
  },
  {
    name: 'unary, request of 1 MB',
    atOnce: 4,
    streams: false,
    call: unary('Put', bytesOf('Products', documentOf(list100, 1_500_000))),
  },
  {
    name: 'stream of 1,000 answers',
    atOnce: 4,
    streams: true,
    call: (client) =>
      settled((done) => {
        const request = bytesOf('Amount', { items: STREAMED });
        const path = pathOf('Watch');
        counted(
          client.makeServerStreamRequest(path, same, same, request, metadata),
          STREAMED,
          done,
        );
      }),
  },
  {
    name: 'stream of 1,000 requests',
    atOnce: 4,
    streams: true,
    call: (client) =>
      settled((done) => {
        const path = pathOf('Upload');
        const call = client.makeClientStreamRequest(path, same, same, metadata, (error) =>
          done(error),
        );
        for (let sent = 0; sent < STREAMED; sent++) call.write(product);
        call.end();
      }),
  },
  {
    name: '1,000 there and back',
    atOnce: 4,
    streams: true,
    call: (client) =>
      settled((done) => {
        const call = client.makeBidiStreamRequest(pathOf('Chat'), same, same, metadata);
        counted(call, STREAMED, done);
        for (let sent = 0; sent < STREAMED; sent++) call.write(product);
        call.end();
      }),
  },
];
