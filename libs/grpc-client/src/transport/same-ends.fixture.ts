import { once } from 'node:events';
import {
  type Http2Server,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  createServer,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Metadata } from '@grpc/grpc-js';
import { probe } from '../client.fixture.js';
import type { CallTransport } from './call-transport.js';
import type { Call } from '@apix/calls';

const METHOD = probe.method('/apix.testdata.Probe/Unary')!;

/** What a server does with a call. */
export type Answer = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => unknown;

export const HEADERS: OutgoingHttpHeaders = {
  ':status': 200,
  'content-type': 'application/grpc',
  'x-h': 'h',
};

const TRAILERS: OutgoingHttpHeaders = { 'grpc-status': '0', 'x-t': 't' };

/** A message as it is sent. */
export function frame(bytes: Buffer, flag = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

/** Answers with these bytes, and trailers. */
export function answerWith(
  stream: ServerHttp2Stream,
  parts: readonly Buffer[],
  { headers = HEADERS, trailers = TRAILERS } = {},
): void {
  stream.respond(headers, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  for (const part of parts) stream.write(part);
  stream.end();
}

/** Has all the requests of a call read. */
export async function requestsOf(stream: ServerHttp2Stream): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** A server of HTTP/2 that knows nothing of gRPC. */
export class RawServer {
  readonly #server: Http2Server;
  readonly #open = new Set<ServerHttp2Session>();
  /** Connections that came, open or not. */
  connections = 0;
  port = 0;

  constructor(answer: Answer, settings: { readonly maxConcurrentStreams?: number } = {}) {
    this.#server = createServer({ settings });
    this.#server.on('session', (session) => {
      this.connections += 1;
      this.#open.add(session);
      session.on('error', () => {});
      session.once('close', () => this.#open.delete(session));
    });
    this.#server.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      answer(stream, headers);
    });
  }

  get endpoint(): string {
    return `127.0.0.1:${this.port}`;
  }

  async listen(port = 0): Promise<this> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  close(): void {
    for (const session of this.#open) session.destroy();
    this.#server.close();
  }
}

/** A call and what came of it, in order. */
export interface TracedCall {
  readonly call: Call;
  readonly trace: string[];
  /** The trace, once the call has ended. */
  readonly ended: Promise<readonly string[]>;
}

export interface CallScript {
  readonly requests?: readonly Buffer[];
  readonly deadline?: number;
  readonly waitForReady?: boolean;
  /** How many answers are asked for as they come. Default: all. */
  readonly reads?: number;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Makes a call, one request after the other, and notes what comes back. */
export function traceCall(transport: CallTransport, script: CallScript = {}): TracedCall {
  const { requests = [], deadline = Infinity, waitForReady = false, reads = Infinity } = script;
  const metadata = new Metadata({ waitForReady });
  for (const [key, value] of Object.entries(script.metadata ?? {})) metadata.set(key, value);
  const trace: string[] = [];
  let left = reads;
  let told: (trace: readonly string[]) => void;
  const ended = new Promise<readonly string[]>((resolve) => (told = resolve));
  const call = transport.open(
    { method: METHOD, path: '/a/B', metadata, deadline },
    {
      onHeaders: (headers) => trace.push(`headers ${headers.get('x-h').join()}`),
      onMessage: (message) => {
        trace.push(`message of ${(message as Buffer).length}`);
        left -= 1;
        if (left > 0) call.read();
      },
      onEnd: ({ status, fromServer }) => {
        const { code, details, metadata: trailers } = status;
        const by = fromServer ? 'server' : 'client';
        trace.push(
          `${code} by the ${by}: ${wordsOf(details)} ${trailers.get('x-t').join()}`.trim(),
        );
        told(trace);
      },
    },
  );
  const waiting = [...requests];
  const sendNext = (): void => {
    const next = waiting.shift();
    if (next === undefined) call.halfClose();
    else call.send(next, { taken: sendNext });
  };
  sendNext();
  if (left > 0) call.read();
  return { call, trace, ended };
}

/** Without times, addresses, and the class of an error. */
function wordsOf(details: string): string {
  return details
    .replace(/after [\d.]+s.*/, 'after a time')
    .replace(/(Last error: )(?:Error: )?(connect ECONNREFUSED).*/, '$1$2');
}
