import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { GatewayModule, type ProtocolName } from '@apix/gateway';
import { ProtoModule } from '@apix/proto';
import { ProtoRegistry } from '@apix/proto/core';
import { Module } from '@nestjs/common';
import { startHost } from '@apix/hostx/testing';
import type { InProcessServer } from '@apix/calls';
import { Code, IN_PROCESS_SERVER } from '@apix/contracts';
import type { DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Level } from '@bufbuild/protobuf/wkt';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  DIALECTS,
  RpcClient,
  type RpcDialect,
} from '../../../libs/gateway/src/fixtures/rpc-client.fixture.js';
import { sendRaw } from '../../../libs/gateway/src/fixtures/send-raw.fixture.js';
import { assetPath } from '../src/assets.js';
import type { Shop } from './shop.fixture.js';

const SET = assetPath('gen/shop.binpb');
const PROTOCOLS: readonly ProtocolName[] = ['rest', 'connect', 'grpc-web', 'grpc'];

/** Where the RPCs of the shop can be called. */
export interface RpcDoor {
  readonly where: string;
  readonly isHttp2: boolean;
  /** The URL begins with `h2:` for HTTP/2. */
  readonly open: (shop: Shop) => Promise<{ url: string; close: () => Promise<unknown> }>;
}

/** Fastify with HTTP/2 and without TLS does not speak HTTP/1. */
export const RPC_DOORS: readonly RpcDoor[] = [
  {
    where: 'in-process on Express',
    isHttp2: false,
    open: async ({ http: url }) => ({ url, close: async () => {} }),
  },
  ...(['Express', 'Fastify'] as const).map((platform) => ({
    where: `over the network from ${platform}`,
    isHttp2: platform === 'Fastify',
    open: ({ grpc: endpoint }: Shop) => openFront({ endpoint }, platform),
  })),
  {
    where: 'in-process on Fastify',
    isHttp2: true,
    open: ({ server }) => openFront({ server }, 'Fastify'),
  },
];

/** A gateway in an app of its own, in front of a gRPC server, which may be in this process. */
function openFront(
  { endpoint, server }: { readonly endpoint?: string; readonly server?: InProcessServer },
  platform: 'Express' | 'Fastify',
) {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: SET }),
      GatewayModule.forRoot({ protocols: PROTOCOLS, ...(endpoint !== undefined && { endpoint }) }),
    ],
    // Without its hooks: the server ends with its own app.
    providers: [{ provide: IN_PROCESS_SERVER, useValue: server && callable(server) }],
  })
  class Front {}
  return serve(Front, platform === 'Fastify');
}

function callable(server: InProcessServer): InProcessServer {
  return {
    [IN_PROCESS_SERVER]: true,
    serves: (name) => server.serves(name),
    open: (head, listener, settings) => server.open(head, listener, settings),
  };
}

async function serve(module: RootModule, isHttp2: boolean) {
  const adapter = new FastifyAdapter({ http2: true } as never) as never;
  const { app, stop } = await startHost(module, isHttp2 ? { adapter } : {});
  const { port } = (app!.getHttpServer() as Server).address() as AddressInfo;
  return { url: `${isHttp2 ? 'h2:' : ''}http://127.0.0.1:${port}`, close: stop };
}

type RootModule = Parameters<typeof startHost>[0];

const client = new RpcClient(ProtoRegistry.load(new Uint8Array(readFileSync(SET))));

/** A row of the table of callers and methods. */
export interface RpcRow {
  readonly method: DescMethod;
  /** Its REST address, such as `GET /v1/products`. */
  readonly route: string | undefined;
}

/** A way to call, and whether a server and a method have it. */
export interface RpcWay {
  readonly name: string;
  readonly has: (row: RpcRow, isHttp2: boolean) => boolean;
  /** Calls as a client would; the code with which the call ends. */
  readonly call: (url: string, row: RpcRow, headers: Headers) => Promise<number>;
}

type Headers = Readonly<Record<string, string>>;

const pathOf = ({ parent, name }: DescMethod): string => `/${parent.typeName}/${name}`;
const codeNamed = (name: string): number => Code[name as keyof typeof Code];

function wayOf(dialect: RpcDialect): RpcWay {
  return {
    name: `${dialect.protocol} in ${dialect.codec === 'json' ? 'JSON' : 'binary'}`,
    has: ({ method }, isHttp2) =>
      isHttp2 || (dialect.protocol !== 'grpc' && method.methodKind !== 'bidi_streaming'),
    async call(url, { method }, headers) {
      const ask = { method: pathOf(method), messages: [{}], headers };
      return codeNamed((await client.call(url, dialect, ask)).code);
    },
  };
}

const byGet: RpcWay = {
  name: 'connect by GET',
  has: ({ method: { idempotency } }) => idempotency === Level.NO_SIDE_EFFECTS,
  async call(url, { method }, headers) {
    const path = `${pathOf(method)}?connect=v1&encoding=json&message=%7B%7D`;
    const { body } = await sendRaw(url, path, headers, NOTHING, 'GET');
    const { code = 'ok' } = JSON.parse(body.toString()) as { code?: string };
    return codeNamed(code.toUpperCase());
  },
};

const rest: RpcWay = {
  name: 'rest',
  has: ({ route }) => route !== undefined,
  async call(url, { route }, headers) {
    const [verb, path] = route!.split(' ') as [string, string];
    const hasBody = verb === 'POST' || verb === 'PATCH';
    const sent = hasBody ? { ...headers, 'content-type': 'application/json' } : headers;
    const { http } = await sendRaw(url, path, sent, hasBody ? Buffer.from('{}') : NOTHING, verb);
    if (http >= 500) throw new Error(`${route}: ${http}`);
    const codes = { 401: Code.UNAUTHENTICATED, 403: Code.PERMISSION_DENIED };
    return codes[http as keyof typeof codes] ?? Code.OK;
  },
};

const NOTHING = Buffer.alloc(0);

/** Every protocol and HTTP method, with the codecs that its clients use. */
export const WAYS: readonly RpcWay[] = [
  rest,
  ...DIALECTS.filter(({ protocol, codec }) => protocol === 'connect' || codec === 'proto').map(
    wayOf,
  ),
  byGet,
];
