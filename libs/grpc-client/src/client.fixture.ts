import { Code, isCode } from '@apix/contracts';
import { ProtoRegistry, fullMethodName } from '@apix/proto/core';
import { type DescMethod, type Message, create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type ChannelCredentials,
  type ClientOptions,
  Client,
  type ClientDuplexStream,
  type Deadline,
  Metadata,
  type StatusObject,
  credentials,
} from '@grpc/grpc-js';
import { afterEach } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { PLAIN_SHOP } from '../../../tools/testing/plain-shop.js';

/** The service apix.testdata.Probe, with a method of each kind. */
export const PROBE = fileURLToPath(new URL('../../proto/testdata/kinds.binpb', import.meta.url));
export const probe = ProtoRegistry.load(PROBE);

/** The demo's shop, with its options. */
export const SHOP = PLAIN_SHOP;

/** The fields of a request that are set. */
export type Shape = Readonly<Record<string, unknown>>;

/** What a call came to; it never rejects. */
export interface Answer {
  readonly status: keyof typeof Code;
  readonly details: string;
  readonly messages: readonly Message[];
  readonly headers: Metadata | undefined;
  readonly trailers: Metadata;
}

export interface CallOptions {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly deadline?: Deadline;
}

/** A call that the test speaks on, message by message. */
export interface OpenCall {
  readonly stream: ClientDuplexStream<Shape, Message>;
  readonly answer: Promise<Answer>;
}

const open: Client[] = [];
afterEach(() => {
  for (const client of open.splice(0)) client.close();
});

/** A grpc-js client, closed after the test. */
export function clientOf(
  address: string,
  secrets: ChannelCredentials = credentials.createInsecure(),
  options: ClientOptions = {},
): Client {
  // Channels to one address share connections otherwise, also those of another test.
  const client = new Client(address, secrets, { 'grpc.use_local_subchannel_pool': 1, ...options });
  open.push(client);
  return client;
}

/** Begins a call; on the wire, all four kinds of method look like this. */
export function openCall(client: Client, method: DescMethod, options: CallOptions = {}): OpenCall {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(options.metadata ?? {})) metadata.set(key, value);
  const stream = client.makeBidiStreamRequest<Shape, Message>(
    fullMethodName(method),
    (init) => Buffer.from(toBinary(method.input, create(method.input, init))),
    (bytes) => fromBinary(method.output, bytes),
    metadata,
    options.deadline === undefined ? {} : { deadline: options.deadline },
  );
  const messages: Message[] = [];
  let headers: Metadata | undefined;
  stream.on('error', () => {});
  stream.on('data', (message: Message) => messages.push(message));
  stream.on('metadata', (received: Metadata) => (headers = received));
  const answer = new Promise<Answer>((resolve) => {
    stream.on('status', ({ code, details, metadata: trailers }: StatusObject) => {
      const status = Code[isCode(code) ? code : Code.UNKNOWN] as keyof typeof Code;
      resolve({ status, details, messages, headers, trailers });
    });
  });
  return { stream, answer };
}

/** Makes a whole call: sends the requests, ends, and waits for the status. */
export function call(
  client: Client,
  method: DescMethod | undefined,
  requests: readonly Shape[],
  options?: CallOptions,
): Promise<Answer> {
  const { stream, answer } = openCall(client, method!, options);
  for (const request of requests) stream.write(request);
  stream.end();
  return answer;
}
