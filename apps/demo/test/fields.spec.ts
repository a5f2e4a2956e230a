import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuthzModule, Authorizer, Public, Requires } from '@apix/authz';
import { celConditions } from '@apix/authz/conditions';
import { type CallListener, type MessageOrWire } from '@apix/calls';
import { Code, codeName, StatusError } from '@apix/contracts';
import { messageReplacer } from '@apix/contracts/internal';
import { GatewayModule } from '@apix/gateway';
import { Gateway, networkUpstream, type Upstream } from '@apix/gateway/core';
import { webSockets } from '@apix/gateway/websocket';
import { GrpcModule, GrpcServer, GrpcService } from '@apix/grpc';
import { HostPageModule } from '@apix/host-page';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { InjectLogger, type Logger as Log, LogxModule } from '@apix/logx';
import { collectingSink } from '@apix/logx/testing';
import { TracingModule } from '@apix/otel';
import { ProtoModule, ProtoRegistry } from '@apix/proto';
import { create, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Logger, Module, Sse, type Type } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { from, map, type Observable, of } from 'rxjs';
import { WebSocket } from 'ws';

const SET = readFileSync(new URL('../../../libs/authz/testdata/fields.binpb', import.meta.url));
const FIELDS = ProtoRegistry.load(SET);
const Directory = FIELDS.services.find(({ typeName }) => typeName === 'fields.v1.Directory')!;
const PERSON = FIELDS.registry.getMessage('fields.v1.Person')!;
const person = (init: Readonly<Record<string, unknown>>): Message => create(PERSON, init);
const TAINT = 'TAINT';

/** As it comes from a cache: every call gets the same object. */
const inner = person({ name: 'inner', phone: TAINT });
const CACHED = person({
  name: 'people/1',
  owner: 'eve',
  phone: TAINT,
  email: TAINT,
  notes: [TAINT],
  keys: { [TAINT]: TAINT },
  home: { street: TAINT },
  work: { street: 'High Street', doorCode: TAINT },
  friends: [inner],
  children: { a: inner },
  contact: { case: 'pager', value: TAINT },
  extra: anyPack(PERSON, inner),
});
const people = (): Message =>
  create(FIELDS.registry.getMessage('fields.v1.People')!, { people: [CACHED, CACHED] });

interface Named {
  readonly name: string;
}

class DirectoryController {
  get({ name }: Named): unknown {
    if (name !== 'people/fails') return CACHED;
    const detail = {
      typeUrl: 'type.googleapis.com/fields.v1.Person',
      value: toBinary(PERSON, CACHED),
    };
    throw new StatusError(Code.ABORTED, 'no', { details: [detail] });
  }
  list(): unknown {
    return people();
  }
  watch(): Observable<unknown> {
    return of(CACHED, CACHED);
  }
  gather(): unknown {
    return people();
  }
  chat(requests: Observable<Named>): Observable<unknown> {
    return requests.pipe(map(() => CACHED));
  }
  update({ person: given }: { person: object }): unknown {
    return { ...given, phone: TAINT };
  }
  card(): unknown {
    return CACHED;
  }
  contacts(): unknown {
    return {};
  }
  plain(): unknown {
    return { text: 'open' };
  }
}
GrpcService(Directory)(DirectoryController as never);

@Controller('hand')
class HandWritten {
  constructor(@InjectLogger('hand') private readonly log: Log) {}

  @Get('one')
  @Requires({ roles: { anyOf: ['user'] } })
  one(): unknown {
    this.log.information('Read {@Person} of {People}', CACHED, [CACHED]);
    this.log.error(new StatusError(Code.ABORTED, 'no', { cause: CACHED }), 'Failed');
    trace.getActiveSpan()?.recordException(new StatusError(Code.ABORTED, 'no', { cause: CACHED }));
    return CACHED;
  }

  @Get('page')
  @Requires({ roles: { anyOf: ['user'] } })
  page(): unknown {
    return { items: [CACHED], total: 1 };
  }

  @Get('card')
  @Public()
  card(): unknown {
    return Promise.resolve(CACHED);
  }

  @Sse('events')
  @Requires({ roles: { anyOf: ['user'] } })
  events(): unknown {
    return from([{ data: { person: CACHED } }, { data: [CACHED] }]);
  }
}

const AUTHZ = {
  subject: ({ metadata }: { metadata: { get(key: string): readonly string[] } }) => {
    const [roles] = metadata.get('x-roles');
    return roles === undefined ? null : { id: 'ada', roles: roles.split(','), permissions: [] };
  },
  conditions: celConditions(),
};

const logged = collectingSink();
const exporter = new InMemorySpanExporter();
/** Those that were still held when tracing ended. */
const spans: ReadableSpan[] = [];
exporter.shutdown = async () => void spans.push(...exporter.getFinishedSpans());
const stops: (() => unknown)[] = [];
const urls: Record<string, string> = {};
let grpc: string;
let app: Awaited<ReturnType<typeof startHost>>['app'];

function appOf(imports: readonly unknown[], controllers: readonly Type[]): Type {
  @Module({
    imports: [
      HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
      ProtoModule.forRoot({ descriptors: SET }),
      ...(imports as []),
    ],
    controllers: [...controllers],
  })
  class App {}
  return App;
}

async function start(type: Type): Promise<NonNullable<typeof app>> {
  const started = await startHost(type, { http: { port: 0, host: '127.0.0.1' } });
  stops.push(started.stop);
  return started.app!;
}

/** A gateway without Nest, in front of a server. */
async function serveGateway(upstream: Upstream): Promise<string> {
  const gateway = new Gateway(FIELDS, upstream, GATEWAY);
  const server: Server = createServer((req, res) => gateway.handle(req, res));
  gateway.serveUpgrades(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    upstream.close();
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const GATEWAY = {
  forwardHeaders: ['x-roles'],
  protocols: ['rest', 'connect', 'grpc-web', 'grpc'] as const,
  webSockets: webSockets({ origins: 'any' }),
};

beforeAll(async () => {
  Logger.overrideLogger(false);
  const listen = { port: 0, host: '127.0.0.1' };
  app = await start(
    appOf(
      [
        LogxModule.forRoot({ sinks: [logged] }),
        TracingModule.forRoot({ exporter }),
        HostPageModule.forRoot({ public: true }),
        AuthzModule.forRoot(AUTHZ),
        GrpcModule.forRoot(listen),
        GatewayModule.forRoot({
          mount: '/',
          ...GATEWAY,
          openapi: { path: '/openapi.json' },
        }),
      ],
      [DirectoryController, HandWritten],
    ),
  );
  grpc = app.get(GrpcServer, { strict: false }).address;
  urls['in-process'] = await app.getUrl();
  urls['over the network'] = await serveGateway(networkUpstream({ endpoint: grpc }));
  const open = await start(
    appOf([GrpcModule.forRoot({ ...listen, unenforcedPolicies: 'allow' })], [DirectoryController]),
  );
  const endpoint = open.get(GrpcServer, { strict: false }).address;
  const admission = new Authorizer(FIELDS, AUTHZ);
  urls['deciding itself'] = await serveGateway(networkUpstream({ endpoint, admission }));
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

interface Answered {
  readonly code: string;
  /** All that came: bodies, trailers, messages. */
  readonly text: string;
}

const GetPerson = FIELDS.registry.getMessage('fields.v1.GetPerson')!;
const ask = (name: string): Uint8Array => toBinary(GetPerson, create(GetPerson, { name }));

function overGrpc(method: string, roles: string, name = 'people/1'): Promise<Answered> {
  const client = new Client(grpc, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('x-roles', roles);
  const same = (bytes: Buffer): Buffer => bytes;
  const path = `/fields.v1.Directory/${method}`;
  const call = client.makeBidiStreamRequest(path, same, same, metadata);
  let text = '';
  return new Promise((resolve) => {
    call.on('error', () => {});
    call.on('data', (bytes: Buffer) => void (text += bytes.toString('latin1')));
    call.on('status', (status: { code: number; metadata: Metadata }) => {
      client.close();
      const details = status.metadata
        .get('grpc-status-details-bin')
        .map((each) => each.toString('latin1'));
      resolve({ code: codeName(status.code), text: text + details.join('') });
    });
    call.write(Buffer.from(ask(name)));
    call.end();
  });
}

/** As a caller in the same process that takes messages. */
function inProcess(method: string, roles: string): Promise<Answered> {
  const desc = Directory.methods.find(({ name }) => name === method)!;
  const metadata = new Metadata();
  metadata.set('x-roles', roles);
  let text = '';
  return new Promise((resolve) => {
    const listener: CallListener = {
      onHeaders: () => {},
      onMessage: (message: MessageOrWire) => {
        const bytes = message instanceof Uint8Array ? message : toBinary(desc.output, message);
        text += Buffer.from(bytes).toString('latin1');
        call.read();
      },
      onEnd: ({ status }) => resolve({ code: codeName(status.code), text }),
    };
    const path = `/fields.v1.Directory/${method}`;
    const call = app!
      .get(GrpcServer, { strict: false })
      .open({ method: desc, path, metadata, deadline: Infinity }, listener);
    call.send(create(GetPerson, { name: 'people/1' }));
    call.halfClose();
    call.read();
  });
}

async function overHttp(
  url: string,
  roles: string,
  { type, body: sent, accept }: { type?: string; body?: Uint8Array | string; accept?: string } = {},
): Promise<Answered> {
  const headers = {
    ...(roles !== '' && { 'x-roles': roles }),
    ...(type !== undefined && { 'content-type': type }),
    ...(accept !== undefined && { accept }),
  };
  const answer = await fetch(url, {
    headers,
    ...(sent !== undefined && { method: 'POST', body: sent as never }),
  });
  const body = Buffer.from(await answer.arrayBuffer()).toString('latin1');
  const text = body + (answer.headers.get('grpc-status-details-bin') ?? '');
  return { code: answer.ok ? 'OK' : String(answer.status), text };
}

const framed = (bytes: Uint8Array): Uint8Array => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
};

function overWebSocket(url: string, roles: string): Promise<Answered> {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers: { 'x-roles': roles } });
  let text = '';
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('open', () => {
      socket.send(JSON.stringify({ name: 'people/1' }));
      socket.send('');
    });
    socket.on('message', (data: Buffer) => void (text += data.toString()));
    socket.on('close', () => resolve({ code: 'OK', text }));
  });
}

type Door = (roles: string) => Promise<Answered>;
const RPC = 'fields.v1.Directory';

/** Every way to an answer of a gateway. */
function gatewayDoors(which: string): [string, Door][] {
  const at = (path: string): string => `${urls[which]}${path}`;
  const json = JSON.stringify({ name: 'people/1' });
  return [
    [`REST ${which}`, (roles) => overHttp(at('/v1/people/1'), roles)],
    [`REST with response_body ${which}`, (roles) => overHttp(at('/v1/people'), roles)],
    [`NDJSON ${which}`, (roles) => overHttp(at('/v1/people/1:watch'), roles)],
    [
      `SSE ${which}`,
      (roles) => overHttp(at('/v1/people/1:watch'), roles, { accept: 'text/event-stream' }),
    ],
    [`a WebSocket of a stream ${which}`, (roles) => overWebSocket(at('/v1/people:chat'), roles)],
    [
      `a WebSocket with one answer ${which}`,
      (roles) => overWebSocket(at('/v1/people:gather'), roles),
    ],
    [
      `Connect in JSON ${which}`,
      (roles) => overHttp(at(`/${RPC}/Get`), roles, { type: 'application/json', body: json }),
    ],
    [
      `Connect in binary ${which}`,
      (roles) =>
        overHttp(at(`/${RPC}/Get`), roles, { type: 'application/proto', body: ask('people/1') }),
    ],
    [
      `a stream of Connect ${which}`,
      (roles) =>
        overHttp(at(`/${RPC}/Watch`), roles, {
          type: 'application/connect+proto',
          body: framed(ask('people/1')),
        }),
    ],
    [
      `gRPC-Web ${which}`,
      (roles) =>
        overHttp(at(`/${RPC}/List`), roles, {
          type: 'application/grpc-web+proto',
          body: framed(ask('people/1')),
        }),
    ],
  ];
}

// The addresses are known once the servers run.
const withGateways = (which: string): [string, Door][] =>
  gatewayDoors(which).map(([name], i) => [name, (roles) => gatewayDoors(which)[i]![1](roles)]);

const hand =
  (path: string): Door =>
  (roles) =>
    overHttp(`${urls['in-process']}/hand/${path}`, roles);

const DOORS: [string, Door][] = [
  ...['Get', 'List', 'Watch', 'Chat'].map((method): [string, Door] => [
    `gRPC ${method}`,
    (roles) => overGrpc(method, roles),
  ]),
  ...['Get', 'Watch', 'Chat'].map((method): [string, Door] => [
    `in-process ${method}`,
    (roles) => inProcess(method, roles),
  ]),
  ...withGateways('in-process'),
  ...withGateways('over the network'),
  ...withGateways('deciding itself'),
  ['a hand-written handler', hand('one')],
  ['a hand-written handler of a page', hand('page')],
  ['a hand-written handler of SSE', hand('events')],
];

describe.each(DOORS)('a hidden field, by %s,', (_, door) => {
  it('is not in the answer to a caller that may not see it, and is to one that may', async () => {
    const before = toBinary(PERSON, CACHED);
    const hidden = await door('user');
    expect([hidden.code, hidden.text.includes('people/1')]).toEqual(['OK', true]);
    expect(hidden.text).not.toContain(TAINT);
    expect(hidden.text).not.toContain(Buffer.from(TAINT).toString('base64').slice(0, 6));
    expect(hidden.text).toContain('High Street');
    expect(toBinary(PERSON, CACHED)).toEqual(before);
    expect((await door('user,staff')).text).toContain(TAINT);
  });
});

describe('a method that is public', () => {
  it.each<[string, Door]>([
    ['gRPC', () => overGrpc('Card', 'user,staff')],
    ['in-process', () => inProcess('Card', 'user,staff')],
    ['REST', () => overHttp(`${urls['in-process']}/v1/cards/1`, 'user,staff')],
    [
      'a gateway that decides itself',
      () => overHttp(`${urls['deciding itself']}/v1/cards/1`, 'user,staff'),
    ],
    ['a hand-written handler', hand('card')],
  ])('asks for no caller, and shows a hidden field to nobody: %s', async (_, door) => {
    const { code, text } = await door('staff');
    expect([code, text.includes('people/1')]).toEqual(['OK', true]);
    expect(text).not.toContain(TAINT);
  });
});

describe('the details of an error', () => {
  it.each<[string, (roles: string) => Promise<Answered>]>([
    ['gRPC', (roles) => overGrpc('Get', roles, 'people/fails')],
    ['REST', (roles) => overHttp(`${urls['in-process']}/v1/people/fails`, roles)],
    [
      'Connect',
      (roles) =>
        overHttp(`${urls['in-process']}/${RPC}/Get`, roles, {
          type: 'application/proto',
          body: ask('people/fails'),
        }),
    ],
    [
      'gRPC-Web',
      (roles) =>
        overHttp(`${urls['in-process']}/${RPC}/Get`, roles, {
          type: 'application/grpc-web+proto',
          body: framed(ask('people/fails')),
        }),
    ],
    [
      'a gateway that decides itself',
      (roles) =>
        overHttp(`${urls['deciding itself']}/${RPC}/Get`, roles, {
          type: 'application/proto',
          body: ask('people/fails'),
        }),
    ],
  ])('have no hidden field, by %s', async (_, door) => {
    const { text } = await door('user');
    const readable = text + texts(text);
    expect(readable).toContain('people/1');
    expect(readable).not.toContain(TAINT);
  });
});

/** What is in base64 in a text. */
function texts(text: string): string {
  return [...text.matchAll(/[A-Za-z0-9+/_-]{16,}/g)]
    .map(([each]) => Buffer.from(each, 'base64').toString('latin1'))
    .join(' ');
}

describe('a mask in a request', () => {
  it.each(['in-process', 'over the network', 'deciding itself'])(
    'that names a hidden field is refused before the handler: %s',
    async (which) => {
      const read = await overHttp(`${urls[which]}/v1/people/1?readMask=phone`, 'user');
      expect(read.code).toBe('403');
      expect(read.text).not.toContain('phone');
      expect((await overHttp(`${urls[which]}/v1/people/1?readMask=name`, 'user')).code).toBe('OK');
      expect((await overHttp(`${urls[which]}/v1/people/1?readMask=phone`, 'user,staff')).code).toBe(
        'OK',
      );
    },
  );
});

it('logs, error texts and the OpenAPI document show no hidden field, and the document says who sees it', async () => {
  await hand('one')('user,staff');
  expect(JSON.stringify([...logged])).toContain('High Street');
  expect(JSON.stringify([...logged])).not.toContain(TAINT);
  const dumped = JSON.stringify(CACHED, messageReplacer());
  expect(dumped + texts(dumped)).not.toContain(TAINT);
  expect(dumped).not.toContain(String(Buffer.from(TAINT).toJSON().data));
  const { text } = await overHttp(`${urls['in-process']}/openapi.json`, '');
  expect(text).toContain('Shown to callers with the role staff.');
  expect(text).toContain(
    "Shown to callers if `this.owner == subject.id || 'staff' in subject.roles`.",
  );
});

/** What the stream of the host page has sent until it has sent all that it knows. */
async function hostPageStream(): Promise<string> {
  const ended = new AbortController();
  const answer = await fetch(`${urls['in-process']}/host/stream?tab=traces`, {
    signal: ended.signal,
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (/"samples":/.test(text)) break;
  }
  ended.abort();
  return text;
}

it('the host page and its traces show no hidden value', async () => {
  await overHttp(`${urls['in-process']}/v1/people/1`, 'user,staff');
  const stream = await hostPageStream();
  const ids = [...stream.matchAll(/"id":"([0-9a-f]{16})"/g)].map(([, id]) => id!);
  expect(ids.length).toBeGreaterThan(0);
  const pages = [
    `${urls['in-process']}/host`,
    ...ids.map((id) => `${urls['in-process']}/host/traces/${id}`),
  ];
  const texts = await Promise.all(pages.map(async (page) => (await fetch(page)).text()));
  expect(texts.join()).toContain('fields.v1.Directory');
  expect([stream, ...texts].join()).not.toContain(TAINT);
});

it('an object that a handler keeps is never changed', () => {
  expect(fromBinary(PERSON, toBinary(PERSON, CACHED))).toMatchObject({ phone: TAINT });
});

describe('spans of all these calls', () => {
  it('have no hidden value', async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
    const written = JSON.stringify(
      spans.map(({ name, attributes, events, status, links }) => ({
        name,
        attributes,
        events,
        status,
        links,
      })),
    );
    expect(written).toContain('fields.v1.Directory/Watch');
    expect(written).toContain('exception');
    expect(written).not.toContain(TAINT);
  });
});
