import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { type Message, create } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import { ConnectError, type HandlerContext } from '@connectrpc/connect';
import {
  type Compression as ConnectCompression,
  compressionBrotli,
  compressionGzip,
  connectNodeAdapter,
} from '@connectrpc/connect-node';
import { CERTIFICATE, KEY } from '../../../tools/testing/certificate.js';
import { Codec, Compression } from '../suite/axes.js';
import { SERVER_LIMIT } from '../suite/expand.js';
import {
  type BidiStreamRequest,
  type ClientStreamRequest,
  HeaderSchema,
  type Payload,
  type ServerStreamRequest,
  type UnaryRequest,
  registry,
  service,
} from '../suite/schema.js';
import { algorithmOf, hasZstd } from '../wire/compression.js';
import {
  type ServedCall,
  answerBidiStream,
  answerClientStream,
  answerServerStream,
  answerUnary,
} from './answers.js';
import type { Server } from './server.js';

const tls = { cert: CERTIFICATE, key: KEY };

/** Connect brings gzip and brotli; an app adds others like this. */
function addedCompression(compression: Compression): ConnectCompression {
  const { name, compress, decompress } = algorithmOf(compression)!;
  return {
    name,
    compress: async (bytes) => compress(bytes),
    async decompress(bytes, readMaxBytes) {
      try {
        return decompress(bytes, { maxOutputLength: readMaxBytes });
      } catch (error) {
        const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
        throw new ConnectError(String(error), isTooLarge ? RESOURCE_EXHAUSTED : INVALID_ARGUMENT);
      }
    },
  };
}
const INVALID_ARGUMENT = 3;
const RESOURCE_EXHAUSTED = 8;

/** Connect's own server for Node, with the handlers of the suite. */
export async function startConnectNode(change: (payload: Payload) => Payload): Promise<Server> {
  const added = [Compression.deflate, ...(hasZstd ? [Compression.zstd] : [])];
  const handler = connectNodeAdapter({
    readMaxBytes: SERVER_LIMIT,
    jsonOptions: { registry },
    acceptCompression: [compressionGzip, compressionBrotli, ...added.map(addedCompression)],
    routes: (router) => router.service(service, handlers(change)),
  });
  const secure = (options: http2.SecureServerOptions) =>
    http2.createSecureServer({ ...tls, allowHTTP1: true, ...options }, asListener(handler));
  const servers = {
    http1: createServer(handler),
    h2c: http2.createServer(asListener(handler)),
    tls: secure({}),
    mutual: secure({ requestCert: true, rejectUnauthorized: true, ca: CERTIFICATE }),
  };
  const sockets = new Set<{ destroy(): void; once(event: 'close', run: () => void): void }>();
  for (const server of Object.values(servers)) {
    server.on(
      'connection',
      (socket: { destroy(): void; once(event: 'close', run: () => void): void }) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      },
    );
    server.listen(0, 'localhost');
    await once(server, 'listening');
  }
  const portOf = (server: (typeof servers)[keyof typeof servers]): number =>
    (server.address() as AddressInfo).port;
  return {
    name: 'connect-node',
    losesEarlyAnswers: true,
    features: {
      codecs: Object.values(Codec),
      compressions: [Compression.identity, Compression.gzip, Compression.br, ...added],
      clientCertificates: true,
    },
    ports: {
      http1: portOf(servers.http1),
      h2c: portOf(servers.h2c),
      tls: portOf(servers.tls),
      mutual: portOf(servers.mutual),
    },
    async close() {
      for (const server of Object.values(servers)) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Handler = ReturnType<typeof connectNodeAdapter>;

/** The handler takes both, which the types of Node keep apart. */
function asListener(handler: Handler) {
  return (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse): void =>
    handler(request as unknown as IncomingMessage, response as unknown as ServerResponse);
}

function handlers(change: (payload: Payload) => Payload) {
  const once = async (payload: Promise<Payload>) => ({ payload: change(await payload) });
  async function* each(payloads: AsyncIterable<Payload>) {
    for await (const payload of payloads) yield { payload: change(payload) };
  }
  const unary = (request: UnaryRequest, context: HandlerContext) =>
    once(answerUnary(served(context), request));
  return {
    unary,
    idempotentUnary: unary,
    clientStream: (requests: AsyncIterable<ClientStreamRequest>, context: HandlerContext) =>
      once(answerClientStream(served(context), requests)),
    serverStream: (request: ServerStreamRequest, context: HandlerContext) =>
      each(answerServerStream(served(context), request)),
    bidiStream: (requests: AsyncIterable<BidiStreamRequest>, context: HandlerContext) =>
      each(answerBidiStream(served(context), requests)),
  };
}

function served(context: HandlerContext): ServedCall {
  const toHeaders = (fields: Iterable<[string, string]>) =>
    [...fields].map(([name, value]) => create(HeaderSchema, { name, value: [value] }));
  return {
    requestHeaders: toHeaders(context.requestHeader),
    signal: context.signal,
    timeoutMs: context.timeoutMs,
    ...(context.requestMethod === 'GET' && {
      query: toHeaders(new URL(context.url).searchParams),
    }),
    addHeader: (name, value) => context.responseHeader.append(name, value),
    addTrailer: (name, value) => context.responseTrailer.append(name, value),
    toThrow: ({ code, message = '', details }) =>
      new ConnectError(
        message,
        code,
        undefined,
        details.map((detail) => {
          const value = anyUnpack(detail, registry) as Message;
          return { desc: registry.getMessage(value.$typeName)!, value };
        }),
      ),
  };
}
