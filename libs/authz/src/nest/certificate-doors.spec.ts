import type { CallMethod } from '@apix/contracts';
import { ProtoModule, ProtoRegistry } from '@apix/proto';
import {
  Client,
  type ChannelCredentials,
  Metadata,
  ServerCredentials,
  credentials,
  status,
} from '@grpc/grpc-js';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod, Transport } from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Server, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SecureContextOptions, TLSSocket, connect } from 'node:tls';
import {
  type Authority,
  type Identity,
  MAY_ISSUE,
  altNames,
  makeAuthority,
} from '../certificates.fixture.js';
import { Authorizer } from '../decide/authorizer.js';
import { certificateSubject } from '../subject/certificate-subject.js';
import type { Subject, SubjectFunc } from '../subject/subject.js';
import { startGuardedServer } from '../testing/guarded-server.js';
import { AuthzModule } from './authz.module.js';
import { HttpCall } from '../request/http-call.js';
import { EnforceMethod } from './authz.decorators.js';
import { SHOP } from './shop.fixture.js';

let authority: Authority;
let stranger: Authority;
let identities: Readonly<Record<string, Identity>>;

beforeAll(() => {
  authority = makeAuthority();
  stranger = makeAuthority();
  identities = {
    staff: authority.client('CN=ada', 'OU=staff'),
    several: authority.client('O=shop', 'CN=ada', 'OU=staff', 'OU=admin', 'OU=night shift'),
    multivalued: authority.client('CN=ada', 'OU=staff+OU=admin'),
    'no units': authority.client('CN=ada', 'O=admin'),
    forged: stranger.client('CN=ada', 'OU=admin'),
    'a line end in a unit': authority.client('CN=ada', 'OU=staff\nOU=admin'),
    'a line end in its name': authority.client('OU=admin', 'CN=ada\nOU=admin'),
    'a NUL in a unit': authority.client('CN=ada', 'OU=admin\0.example'),
    'an empty unit': authority.client('CN=ada', 'OU=admin', 'OU='),
    'a unit in UTF-16': authority.client('CN=ada', ['OU', 0x1e, '\0a\0d\0m\0i\0n']),
    'a unit in T.61': authority.client('CN=ada', ['OU', 0x14, 'admin']),
    'two names': authority.client('CN=ada', 'CN=eve', 'OU=admin'),
    workload: authority.holder(['O=shop'], altNames(['DNS', 'a.b'], ['URI', 'spiffe://shop/ns/a'])),
    'two URIs': authority.holder([], altNames(['URI', 'spiffe://shop/a'], ['URI', 'x:y'])),
    'a URI with another in it': authority.holder(
      [],
      altNames(['URI', 'x:"y", URI:spiffe://shop/ns/a']),
    ),
    'a URI with a NUL': authority.holder([], altNames(['URI', 'spiffe://shop/ns/a\0'])),
    'another domain': authority.holder([], altNames(['URI', 'spiffe://SHOP/ns/a'])),
    authority: authority.holder([], altNames(['URI', 'spiffe://shop/ns/a']), MAY_ISSUE.authority),
    'no URI': authority.holder(['CN=ada', 'OU=admin'], altNames(['DNS', 'spiffe://shop/ns/a'])),
  };
});

const closers: (() => unknown)[] = [];
const subjects: (Subject | null)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  subjects.length = 0;
  source = byUnits;
});

const byUnits = certificateSubject();
const byWorkload = certificateSubject({
  idFrom: 'spiffe',
  roles: { 'spiffe://shop/ns/a': ['admin'] },
});
let source = byUnits;
const subject: SubjectFunc = async (call) => {
  const who = await source(call);
  subjects.push(who);
  return who;
};

@Controller()
class OrdersController {
  @GrpcMethod('Orders', 'Cancel')
  cancel() {
    return {};
  }

  @Get('cancel')
  @EnforceMethod('/test.Orders/Cancel')
  overHttp() {
    return 'in';
  }
}

@Module({
  imports: [ProtoModule.forRoot({ descriptors: SHOP }), AuthzModule.forRoot({ subject })],
  controllers: [OrdersController],
})
class App {}

/** One call of Orders.Cancel, which wants the role admin; says what came of it. */
type Caller = (as: string | null, forwarded?: boolean) => Promise<string>;

const NOTHING = Buffer.alloc(0);
const same = (bytes: Buffer): Buffer => bytes;
const CANCEL = {
  path: '/test.Orders/Cancel',
  requestStream: false,
  responseStream: false,
  requestSerialize: () => NOTHING,
  requestDeserialize: () => ({}),
  responseSerialize: () => NOTHING,
  responseDeserialize: () => ({}),
};

function serverCredentials(askForCertificate: boolean): ServerCredentials {
  const { cert, key } = authority.server;
  const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) };
  return ServerCredentials.createSsl(Buffer.from(authority.cert), [pair], askForCertificate);
}

function channelCredentials(as: string | null): ChannelCredentials {
  const root = Buffer.from(authority.cert);
  if (as === null) return credentials.createSsl(root);
  const { cert, key } = identities[as]!;
  return credentials.createSsl(root, Buffer.from(key), Buffer.from(cert));
}

const FORWARDED = { 'x-apix-forwarded': '1' };
const TARGET = { 'grpc.ssl_target_name_override': 'localhost' };

async function rawServer(askForCertificate = true): Promise<Caller> {
  const registry = ProtoRegistry.load(SHOP);
  const authorizer = new Authorizer(registry, { subject });
  const tls = serverCredentials(askForCertificate);
  const server = await startGuardedServer(registry, authorizer, tls);
  closers.push(() => server.close());
  return async (as, forwarded = false) => {
    const metadata: Record<string, string> = forwarded ? FORWARDED : {};
    return (await server.call(CANCEL.path, metadata, undefined, channelCredentials(as), TARGET))
      .status;
  };
}

async function stockTransport(): Promise<Caller> {
  const folder = mkdtempSync(join(tmpdir(), 'authz-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const url = `unix:${join(folder, 'grpc')}`;
  const app = await NestFactory.createMicroservice(App as Type, {
    transport: Transport.GRPC,
    options: {
      url,
      package: 'test',
      packageDefinition: { 'test.Orders': { Cancel: { ...CANCEL, originalName: 'Cancel' } } },
      credentials: serverCredentials(true),
    },
    logger: false,
    abortOnError: false,
  });
  closers.push(() => app.close());
  await app.listen();
  return async (as, forwarded = false) => {
    const client = new Client(url, channelCredentials(as), TARGET);
    const metadata = Metadata.fromHttp2Headers(forwarded ? FORWARDED : {});
    const code = await new Promise<number>((resolve) => {
      client.makeUnaryRequest(CANCEL.path, same, same, NOTHING, metadata, (error) =>
        resolve(error?.code ?? status.OK),
      );
    });
    client.close();
    return status[code]!;
  };
}

/** HTTPS that asks for a certificate and leaves the refusing to the app. */
async function startHttps(fastify: boolean): Promise<INestApplication> {
  const tls = {
    ...authority.server,
    ca: authority.cert,
    requestCert: true,
    rejectUnauthorized: false,
  };
  const adapter = fastify ? new FastifyAdapter({ https: tls }) : new ExpressAdapter();
  const app = await NestFactory.create(App, adapter, {
    ...(!fastify && { httpsOptions: tls }),
    logger: false,
    abortOnError: false,
  });
  closers.push(() => app.close());
  await app.listen(0, '127.0.0.1');
  return app;
}

async function https(fastify: boolean): Promise<Caller> {
  const app = await startHttps(fastify);
  const { port } = new URL(await app.getUrl());
  return async (as, forwarded = false) => {
    const identity: SecureContextOptions = as === null ? {} : identities[as]!;
    const headers = forwarded ? FORWARDED : {};
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const options = { ...identity, ca: authority.cert, servername: 'localhost', agent: false };
      request(`https://127.0.0.1:${port}/cancel`, { ...options, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end();
    });
    return (
      { 200: 'OK', 401: 'UNAUTHENTICATED', 403: 'PERMISSION_DENIED' }[answered!] ?? `${answered}`
    );
  };
}

const DOORS = [
  ['a grpc-js server with the interceptor', () => rawServer()],
  ["Nest's own gRPC transport with the guard", stockTransport],
  ['HTTPS on Express', () => https(false)],
  ['HTTPS on Fastify', () => https(true)],
] as const;

describe.each(DOORS)('over mutual TLS, %s', (_, serve) => {
  it.each([
    ['staff', 'PERMISSION_DENIED', ['staff']],
    ['several', 'OK', ['staff', 'admin', 'night shift']],
    ['multivalued', 'OK', expect.arrayContaining(['staff', 'admin'])],
    ['no units', 'PERMISSION_DENIED', []],
  ])('takes the roles of %j from its organizational units', async (as, expected, roles) => {
    const call = await serve();
    expect(await call(as)).toBe(expected);
    expect(subjects).toEqual([{ id: expect.stringMatching(/^ada/), roles, permissions: [] }]);
  });

  it.each([
    'a line end in a unit',
    'a line end in its name',
    'a NUL in a unit',
    'an empty unit',
    'a unit in UTF-16',
    'a unit in T.61',
    'two names',
  ])('accepts no certificate with %s', async (as) => {
    const call = await serve();
    expect(await call(as)).toBe('UNAUTHENTICATED');
    expect(subjects).toEqual([]);
    expect(await call('several')).toBe('OK');
  });

  it('knows a workload by its SPIFFE ID, and no other certificate as one', async () => {
    source = byWorkload;
    const call = await serve();
    expect(await call('workload')).toBe('OK');
    expect(subjects).toEqual([{ id: 'spiffe://shop/ns/a', roles: ['admin'], permissions: [] }]);
    const others = [
      'two URIs',
      'a URI with another in it',
      'a URI with a NUL',
      'another domain',
      'authority',
      'no URI',
      'several',
    ];
    for (const other of others)
      expect([other, await call(other)]).toEqual([other, 'UNAUTHENTICATED']);
    expect(subjects).toHaveLength(1);
  });

  it('never gives a forwarded call the roles of the gateway’s certificate', async () => {
    const call = await serve();
    expect(await call('several', true)).toBe('UNAUTHENTICATED');
    expect(subjects).toEqual([null]);
    expect(await call('several')).toBe('OK');
  });
});

describe.each(DOORS.slice(0, 2))('over mutual TLS, %s', (_, serve) => {
  it('has no caller without a certificate, or with one of another authority', async () => {
    const call = await serve();
    expect(await call(null)).toBe('UNAVAILABLE');
    expect(await call('forged')).toBe('UNAVAILABLE');
    expect(subjects).toEqual([]);
  });
});

describe.each(DOORS.slice(2))('over TLS that demands no certificate, %s', (_, serve) => {
  it('takes callers without a verified certificate for anonymous', async () => {
    const call = await serve();
    expect(await call(null)).toBe('UNAUTHENTICATED');
    expect(await call('forged')).toBe('UNAUTHENTICATED');
    expect(subjects).toEqual([null, null]);
  });
});

describe.each([
  ['Express', false],
  ['Fastify', true],
] as const)('a TLS connection to %s', (_, fastify) => {
  it('ends when its client begins another handshake, also if the app handles errors itself', async () => {
    const app = await startHttps(fastify);
    const heard: unknown[] = [];
    (app.getHttpServer() as Server).on('clientError', ({ code }: NodeJS.ErrnoException) => {
      heard.push(code);
    });
    const { port } = new URL(await app.getUrl());
    const socket = connect({
      ...identities['staff']!,
      ca: authority.cert,
      port: Number(port),
      host: '127.0.0.1',
      servername: 'localhost',
      maxVersion: 'TLSv1.2',
    });
    closers.push(() => socket.destroy());
    await once(socket, 'secureConnect');
    socket.write('GET /cancel HTTP/1.1\r\nhost: localhost\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1.1 403 /);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.renegotiate({}, () => socket.write('GET /cancel HTTP/1.1\r\nhost: localhost\r\n\r\n'));
    await ended;
    expect(heard).toEqual(['ERR_TLS_RENEGOTIATION_DISABLED']);
    expect(subjects).toHaveLength(1);
  });
});

it('a socket has no certificate when the newest one was not verified', () => {
  const socket = Object.create(TLSSocket.prototype, {
    authorized: { value: true },
    authorizationError: { value: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
    getPeerCertificate: { value: () => ({ fingerprint256: 'AA', raw: Buffer.of(0x30, 0) }) },
  }) as TLSSocket;
  const req = { socket, headers: {}, rawHeaders: [] } as unknown as IncomingMessage;
  const call = new HttpCall({} as CallMethod, req, {} as ServerResponse);
  expect(call.peer.certificate).toBeUndefined();
});

it('a grpc-js server that asks for no certificate has anonymous callers', async () => {
  const call = await rawServer(false);
  expect(await call('several')).toBe('UNAUTHENTICATED');
  expect(subjects).toEqual([null]);
});
