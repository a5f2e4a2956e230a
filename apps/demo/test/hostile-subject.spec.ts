import 'reflect-metadata';
import { AuthzModule, type SubjectFunc } from '@apix/authz';
import { codeName } from '@apix/contracts';
import { GatewayModule } from '@apix/gateway';
import { webSockets } from '@apix/gateway/websocket';
import { GrpcModule, GrpcServer, GrpcService } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { Client, credentials } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Module, type Type } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { type Observable, reduce } from 'rxjs';
import { WebSocket } from 'ws';
import { freePort } from '../../../tools/testing/free-port.js';
import { type ImportOrdersRequest, Orders } from '../src/gen/shop/v1/orders_pb.js';
import { PLAIN_SHOP } from '../../../tools/testing/plain-shop.js';

const handled: string[] = [];

@GrpcService(Orders)
class OrdersController {
  get() {
    handled.push('get');
    return {};
  }

  async *watch() {
    handled.push('watch');
    yield {};
  }

  import(orders: Observable<ImportOrdersRequest>) {
    handled.push('import');
    return orders.pipe(reduce((seen) => seen, {}));
  }
}

type Stack = 'grpc-js' | 'http2';

/** What the subject function does to the next call. */
let behave: () => unknown;
const subject = (() => behave()) as SubjectFunc;

function app(gateway: { readonly endpoint?: string }, port: number, stack: Stack): Type {
  @Module({
    imports: [
      HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
      ProtoModule.forRoot({ descriptors: PLAIN_SHOP }),
      AuthzModule.forRoot({ subject, subjectTimeout: '20ms' }),
      GrpcModule.forRoot({ port, host: '127.0.0.1', stack }),
      GatewayModule.forRoot({
        mount: '/',
        // Long beside the time for a subject, also where the machine is busy.
        webSockets: webSockets({ admission: '500ms' }),
        rules: [{ selector: 'shop.v1.Orders.Import', post: '/v1/import', body: '*' }],
        ...gateway,
      }),
    ],
    controllers: [OrdersController],
  })
  class App {}
  return App;
}

/** The statuses that a caller of each entry point gets, as names of codes. */
interface Entries {
  readonly url: string;
  readonly grpc: string;
}

async function overRest(url: string, path: string): Promise<string> {
  const answer = await fetch(url + path);
  const text = await answer.text();
  return answer.ok ? 'OK' : (JSON.parse(text) as { readonly code: string }).code;
}

/** The code in the answer to a handshake that was refused. */
async function overWebSocket(url: string): Promise<string> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/v1/import`);
  const refused = await new Promise<IncomingMessage | null>((resolve, reject) => {
    ws.on('unexpected-response', (_, response) => resolve(response));
    ws.on('open', () => resolve(null));
    ws.on('error', reject);
  });
  if (refused === null) {
    ws.close();
    return 'OK';
  }
  let text = '';
  for await (const chunk of refused) text += String(chunk);
  return (JSON.parse(text) as { readonly code: string }).code;
}

function overGrpc(address: string, method: string): Promise<string> {
  const client = new Client(address, credentials.createInsecure());
  const same = (bytes: Buffer): Buffer => bytes;
  return new Promise((resolve) => {
    const call = client.makeBidiStreamRequest(`/shop.v1.Orders/${method}`, same, same);
    call.on('error', () => {});
    call.on('status', ({ code }: { readonly code: number }) => {
      client.close();
      resolve(codeName(code));
    });
    call.resume();
    call.end(Buffer.alloc(0));
  });
}

const ENTRIES: Readonly<Record<string, (entries: Entries) => Promise<string>>> = {
  'a gRPC call': ({ grpc }) => overGrpc(grpc, 'Get'),
  'a gRPC stream of answers': ({ grpc }) => overGrpc(grpc, 'Watch'),
  'a gRPC stream of requests': ({ grpc }) => overGrpc(grpc, 'Import'),
  'a REST call': ({ url }) => overRest(url, '/v1/orders/1'),
  'a REST stream': ({ url }) => overRest(url, '/v1/orders:watch'),
  'a WebSocket': ({ url }) => overWebSocket(url),
};

const raise = (): never => {
  throw new Error('postgres://shop:secret@10.0.0.1 is down');
};
const staff = { roles: ['staff'], permissions: ['orders:write'] };

const BEHAVIOURS: readonly (readonly [string, () => unknown, string])[] = [
  ['throws', raise, 'UNAUTHENTICATED'],
  ['rejects', () => Promise.reject(new Error('secret')), 'UNAUTHENTICATED'],
  ['never settles', () => new Promise(() => {}), 'DEADLINE_EXCEEDED'],
  ['returns a proxy', () => new Proxy(staff, { get: raise }), 'INTERNAL'],
  [
    'returns lists without an end',
    () => {
      const endless = new Proxy<string[]>([], {
        get: (_, key) => (key === 'length' ? Number.MAX_SAFE_INTEGER : 'guest'),
      });
      return { roles: endless, permissions: endless };
    },
    'INTERNAL',
  ],
  ['returns nothing', () => undefined, 'INTERNAL'],
];

describe.each<[string, Stack]>([
  ['in-process', 'grpc-js'],
  ['over the network', 'grpc-js'],
  ['in-process', 'http2'],
  ['over the network', 'http2'],
])('with a gateway %s and a server over %s', (by, stack) => {
  let entries: Entries;
  let stop: () => Promise<unknown>;

  beforeEach(async () => {
    handled.length = 0;
    const port = await freePort();
    const gateway = by === 'over the network' ? { endpoint: `127.0.0.1:${port}` } : {};
    const started = await startHost(app(gateway, port, stack), {
      http: { port: 0, host: '127.0.0.1' },
    });
    stop = started.stop;
    const { address } = started.app!.get(GrpcServer, { strict: false });
    entries = { url: await started.app!.getUrl(), grpc: address };
  });
  afterEach(() => stop());

  it.each(BEHAVIOURS)(
    'a subject function that %s ends every call with a status, and others are served',
    async (_, how, expected) => {
      behave = how;
      const calls = Object.entries(ENTRIES);
      const statuses = await Promise.all(calls.map(([, call]) => call(entries)));
      expect(calls.map(([name], index) => [name, statuses[index]])).toEqual(
        calls.map(([name]) => [name, expected]),
      );
      expect(handled).toEqual([]);
      behave = () => staff;
      const served = await Promise.all(calls.map(([, call]) => call(entries)));
      expect(served).toEqual(calls.map(() => 'OK'));
    },
  );
});
