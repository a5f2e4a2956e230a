import { type Http2Server, createServer } from 'node:http2';
import { type Server, createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, type ServiceError, credentials, status } from '@grpc/grpc-js';
import { Catalog } from '../../apps/demo/src/gen/shop/v1/catalog_pb.js';
import type { Peer } from './claim.js';
import { load } from './peer-packages.js';

/** What is used of the packages, which are not there when this is compiled. */
type Interceptor = () => () => never;
type Handler = (request: unknown, response: unknown) => void;
interface Router {
  rpc: (method: unknown, answer: (request: { readonly name: string }) => object) => void;
}
const { Code, ConnectError } = load('@connectrpc/connect') as {
  readonly Code: { readonly PermissionDenied: number };
  readonly ConnectError: new (message: string, code: number) => Error;
};
const { connectNodeAdapter } = load('@connectrpc/connect-node') as {
  connectNodeAdapter: (options: {
    readonly interceptors: readonly Interceptor[];
    readonly requestGate?: () => void;
    readonly routes: (router: Router) => void;
  }) => Handler;
};

/** Field 1 with a wire type that there is not. */
const UNREADABLE = Buffer.from([0x0f]);

/** Lets no call in. */
const deny: Interceptor = () => refuse;

function refuse(): never {
  throw new ConnectError('no', Code.PermissionDenied);
}

function handler(interceptors: Interceptor[], requestGate?: () => void): Handler {
  return connectNodeAdapter({
    interceptors,
    ...(requestGate !== undefined && { requestGate }),
    routes: ({ rpc }) => {
      rpc(Catalog.method.get, ({ name }) => ({ name, title: 'A pot' }));
    },
  });
}

async function listening<R>(
  server: Server | Http2Server,
  use: (address: string) => Promise<R>,
): Promise<R> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

/** The status of a gRPC call. */
function statusOf(
  path: string,
  bytes: Buffer,
  interceptors: Interceptor[] = [],
  requestGate?: () => void,
) {
  return listening(createServer(handler(interceptors, requestGate)), async (address) => {
    const client = new Client(address, credentials.createInsecure());
    const as = (sent: Buffer): Buffer => sent;
    const answered = await new Promise<string>((resolve) => {
      client.makeUnaryRequest(path, as, as, bytes, (error: ServiceError | null) =>
        resolve(error === null ? 'OK' : (status[error.code] ?? String(error.code))),
      );
    });
    client.close();
    return answered;
  });
}

/** What a request over HTTP/1.1 is answered with. */
function answerOf(path: string, init?: RequestInit): Promise<string> {
  return listening(createHttpServer(handler([])), async (address) => {
    const answer = await fetch(`http://${address}${path}`, init);
    return `${answer.status} ${await answer.text()}`.trim();
  });
}

export const connect: Peer = {
  name: '@connectrpc/connect-node',
  claims: [
    {
      says: 'serves gRPC and JSON of the Connect protocol from one handler: by gRPC',
      expected: 'OK',
      see: () => statusOf('/shop.v1.Catalog/Get', Buffer.alloc(0)),
    },
    {
      says: 'serves gRPC and JSON of the Connect protocol from one handler: by JSON',
      expected: '200 {"name":"products/pot","title":"A pot"}',
      see: () =>
        answerOf('/shop.v1.Catalog/Get', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"name":"products/pot"}',
        }),
    },
    {
      says: 'knows no rules of google.api.http',
      expected: '404',
      see: () => answerOf('/v1/products/pot'),
    },
    {
      says: 'an interceptor that denies a unary call runs when its message has been decoded',
      expected: 'not PERMISSION_DENIED',
      see: async () => {
        const denied = await statusOf('/shop.v1.Catalog/Get', Buffer.alloc(0), [deny]);
        if (denied !== 'PERMISSION_DENIED') return `${denied} for a message that can be read`;
        const unread = await statusOf('/shop.v1.Catalog/Get', UNREADABLE, [deny]);
        return unread === 'PERMISSION_DENIED' ? unread : 'not PERMISSION_DENIED';
      },
    },
    {
      says: 'a requestGate denies a call before its message is decoded',
      expected: 'PERMISSION_DENIED',
      see: () => statusOf('/shop.v1.Catalog/Get', UNREADABLE, [], refuse),
    },
    {
      says: 'without a requestGate of the app, a method is open',
      expected: 'OK',
      see: () => statusOf('/shop.v1.Catalog/Get', Buffer.alloc(0)),
    },
    {
      says: 'brings no health service and no reflection',
      expected: 'UNIMPLEMENTED, UNIMPLEMENTED',
      see: async () => {
        const health = await statusOf('/grpc.health.v1.Health/Check', Buffer.alloc(0));
        const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
        return `${health}, ${await statusOf(path, Buffer.alloc(0))}`;
      },
    },
  ],
};
