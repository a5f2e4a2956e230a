// A collector over HTTP or gRPC that counts each event once, by the number in its message.
import type { AddressInfo } from 'node:net';
import http from 'node:http';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServerOrder, ServerState } from '../elastic/messages.js';

const protocol = process.argv[2];
let port = 0;
let unique = 0;
let again = 0;
let seen = new Uint8Array(8_000_000);

function count(bytes: Buffer): void {
  for (const [, number] of bytes.toString('latin1').matchAll(/ #(\d+);/g)) {
    const n = Number(number);
    if (seen[n] === 1) again++;
    else unique++;
    seen[n] = 1;
  }
}

interface Listener {
  up(): Promise<void>;
  down(): Promise<void>;
}

function overHttp(): Listener {
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      count(Buffer.concat(parts));
      response.setHeader('content-type', 'application/x-protobuf');
      response.end();
    });
  });
  return {
    async up() {
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      ({ port } = server.address() as AddressInfo);
    },
    down: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function overGrpc(): Listener {
  let server: Server;
  const asIs = (bytes: Buffer): Buffer => bytes;
  const method = {
    path: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
    requestStream: false,
    responseStream: false,
    requestDeserialize: asIs,
    requestSerialize: asIs,
    responseDeserialize: asIs,
    responseSerialize: asIs,
  };
  return {
    async up() {
      server = new Server();
      server.addService(
        { Export: method },
        {
          Export(call: { readonly request: Buffer }, done: (error: null, reply: Buffer) => void) {
            count(call.request);
            done(null, Buffer.alloc(0));
          },
        },
      );
      port = await new Promise((resolve, reject) => {
        const credentials = ServerCredentials.createInsecure();
        server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) =>
          error === null ? resolve(bound) : reject(error),
        );
      });
    },
    async down() {
      server.forceShutdown();
    },
  };
}

const listener = protocol === 'grpc' ? overGrpc() : overHttp();
const obey: Readonly<Record<ServerOrder, () => Promise<void> | void>> = {
  up: () => listener.up(),
  down: () => listener.down(),
  reset() {
    unique = 0;
    again = 0;
    seen = new Uint8Array(seen.length);
  },
  state() {},
};

process.on('message', async (order: ServerOrder) => {
  await obey[order]();
  const state: ServerState = { port, unique, again };
  process.send?.(state);
});
