import 'reflect-metadata';
import { Authorizer } from '@apix/authz';
import type { InProcessServer } from '@apix/calls';
import { GrpcServer } from '@apix/grpc';
import { LOGX_LOGGER, type Logger } from '@apix/logx';
import { startHost } from '@apix/hostx/testing';
import { type DescMethod, create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Client, Metadata, type StatusObject, credentials } from '@grpc/grpc-js';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DemoCaller, DemoIssuer } from '../src/identity/demo-issuer.js';
import { OrderFeed } from '../src/orders/order-feed.js';
import { giveDatabases } from './made-databases.fixture.js';

/** A line of the shop's log. */
export type ShopEvent = Readonly<Record<string, unknown>>;

/** The shop on free ports, with a database of its own. */
export interface Shop {
  readonly authorizer: Authorizer;
  readonly issuer: DemoIssuer;
  /** `http://127.0.0.1:<port>`. */
  readonly http: string;
  /** `127.0.0.1:<port>`. */
  readonly grpc: string;
  /** The same for this process. */
  readonly server: InProcessServer;
  /** Calls a method of any kind as a client would, and gives how it ended. */
  call(
    method: DescMethod,
    message: object,
    authorization?: string,
    requestId?: string,
  ): Promise<StatusObject>;
  /** The events of a request, once there are any. */
  eventsOf(requestId: string): Promise<readonly ShopEvent[]>;
  /** The `authorization` of a caller. */
  bearer(caller: Partial<DemoCaller>): Promise<string>;
  close(): Promise<void>;
}

const NO_PAYMENTS = fileURLToPath(new URL('no-payments.fixture.mjs', import.meta.url));

/** The shop without payments, which would take as long again to come up: orders fail. */
export async function openShop(): Promise<Shop> {
  const data = await mkdtemp(join(tmpdir(), 'shop-'));
  const logFile = join(data, 'shop.log');
  const logConfig = join(data, 'logging.yaml');
  await writeFile(logConfig, `sinks: [{ type: file, path: '${logFile}' }]`);
  await giveDatabases(data);
  Object.assign(process.env, {
    DATA_DIR: data,
    GRPC_PORT: '0',
    LOG_CONFIG: logConfig,
    PAYMENTS_PROGRAM: NO_PAYMENTS,
  });
  const { ShopModule } = await import('../src/shop.module.js');
  const { app, stop } = await startHost(ShopModule, { timeout: '60s' });
  const get = app!.get.bind(app);
  const server = get(GrpcServer, { strict: false });
  const { address: grpc } = server;
  const client = new Client(grpc, credentials.createInsecure());
  const issuer = get(DemoIssuer, { strict: false });
  // The news have ended, so that whoever is let in to watch them sees their end.
  get(OrderFeed, { strict: false }).end();
  return {
    authorizer: get(Authorizer, { strict: false }),
    issuer,
    http: (await app!.getUrl()).replace('[::1]', '127.0.0.1'),
    grpc,
    server,
    call: (method, message, authorization, requestId) =>
      callGrpc(client, method, message, { authorization, 'x-request-id': requestId }),
    async eventsOf(requestId) {
      const logger = get<Logger>(LOGX_LOGGER, { strict: false });
      for (;;) {
        await logger.flush();
        const events = await eventsIn(logFile);
        const found = events.filter(({ RequestId }) => RequestId === requestId);
        if (found.length > 0) return found;
      }
    },
    async bearer({ id = 'someone', roles = [], permissions = [] }) {
      return `Bearer ${await issuer.token({ id, roles, permissions })}`;
    },
    async close() {
      client.close();
      await stop();
      await rm(data, { recursive: true });
    },
  };
}

async function eventsIn(file: string): Promise<readonly ShopEvent[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as ShopEvent);
}

function callGrpc(
  client: Client,
  { parent, name, input, output, methodKind }: DescMethod,
  message: object,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<StatusObject> {
  const path = `/${parent.typeName}/${name}`;
  const encode = (value: object): Buffer =>
    Buffer.from(toBinary(input, create(input, value as Record<string, unknown>)));
  const decode = (bytes: Buffer): object => fromBinary(output, bytes);
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(headers)) {
    if (value !== undefined) metadata.set(key, value);
  }
  return new Promise((resolve) => {
    const ignore = (): void => {};
    if (methodKind === 'unary') {
      client
        .makeUnaryRequest(path, encode, decode, message, metadata, ignore)
        .on('status', resolve);
    } else if (methodKind === 'server_streaming') {
      client
        .makeServerStreamRequest(path, encode, decode, message, metadata)
        .on('error', ignore)
        .on('status', resolve)
        .resume();
    } else if (methodKind === 'client_streaming') {
      const call = client.makeClientStreamRequest(path, encode, decode, metadata, ignore);
      call.on('status', resolve);
      call.end(message);
    } else {
      const call = client.makeBidiStreamRequest(path, encode, decode, metadata);
      call.on('error', ignore).on('status', resolve).resume();
      call.end(message);
    }
  });
}
