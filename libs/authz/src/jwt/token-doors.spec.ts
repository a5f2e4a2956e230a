import { ProtoModule, ProtoRegistry } from '@apix/proto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { UnsecuredJWT } from 'jose';
import { request } from 'node:http';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import { Authorizer } from '../decide/authorizer.js';
import { AuthzModule } from '../nest/authz.module.js';
import { EnforceMethod } from '../nest/authz.decorators.js';
import { SHOP } from '../nest/shop.fixture.js';
import type { SubjectFunc } from '../subject/subject.js';
import { startGuardedServer } from '../testing/guarded-server.js';
import { bearerSubject } from './bearer-subject.js';
import { AUDIENCE, ISSUER, type Issuer, seconds, startIssuer } from './issuer.fixture.js';

let issuer: Issuer;
let subject: SubjectFunc;
const closers: (() => unknown)[] = [];

beforeEach(async () => {
  issuer = await startIssuer();
  closers.push(() => issuer.close());
  subject = bearerSubject({ jwks: issuer.jwks, issuer: ISSUER, audience: AUDIENCE });
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

@Controller()
class OrdersController {
  @Get('cancel')
  @EnforceMethod('/test.Orders/Cancel')
  cancel() {
    return 'in';
  }
}

/** Calls what wants the role admin, with these `authorization` values. */
type Caller = (...authorization: readonly string[]) => Promise<string>;

async function grpc(): Promise<Caller> {
  const registry = ProtoRegistry.load(SHOP);
  const server = await startGuardedServer(registry, new Authorizer(registry, { subject }));
  closers.push(() => server.close());
  return async (authorization) => {
    const metadata: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { status } = await server.call('/test.Orders/Cancel', metadata);
    return status;
  };
}

const NAMES: Readonly<Record<number, string>> = {
  200: 'OK',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  503: 'UNAVAILABLE',
};

async function http(adapter: AbstractHttpAdapter): Promise<Caller> {
  @Module({
    imports: [ProtoModule.forRoot({ descriptors: SHOP }), AuthzModule.forRoot({ subject })],
    controllers: [OrdersController],
  })
  class App {}
  const app = await NestFactory.create(App, adapter, { logger: false, abortOnError: false });
  closers.push(() => app.close());
  await app.listen(0, '127.0.0.1');
  const url = `${await app.getUrl()}/cancel`;
  return async (...authorization) => {
    const headers = [
      'host',
      'localhost',
      ...authorization.flatMap((value) => ['authorization', value]),
    ];
    const code = await new Promise<number>((resolve, reject) => {
      request(url, { headers, agent: false }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      })
        .on('error', reject)
        .end();
    });
    return NAMES[code] ?? `${code}`;
  };
}

const DOORS = [
  ['gRPC', grpc],
  ['HTTP on Express', () => http(new ExpressAdapter())],
  ['HTTP on Fastify', () => http(new FastifyAdapter())],
  ['HTTP on an adapter of another type', () => http(new NodeAdapter())],
] as const;

const bearer = async (token: string | Promise<string>): Promise<string> => `Bearer ${await token}`;

describe.each(DOORS)('a caller over %s', (_, serve) => {
  it.each<[string, () => string | Promise<string>, string]>([
    ['with the role', () => issuer.token({ roles: ['admin'] }), 'OK'],
    ['without the role', () => issuer.token({ roles: ['staff'] }), 'PERMISSION_DENIED'],
    ['with an expired token', () => issuer.token({ exp: seconds(-60) }), 'UNAUTHENTICATED'],
    ['with a malformed token', () => 'a.b.c', 'UNAUTHENTICATED'],
    ['with a token of `alg: none`', () => new UnsecuredJWT({}).encode(), 'UNAUTHENTICATED'],
    ['with a single role as a string', () => issuer.token({ roles: 'admin' }), 'OK'],
    [
      'with roles that are no list',
      () => issuer.token({ roles: { admin: true } }),
      'UNAUTHENTICATED',
    ],
  ])('%s gets its status', async (__, token, expected) => {
    const call = await serve();
    expect(await call(await bearer(token()))).toBe(expected);
  });

  it('without `authorization` is anonymous', async () => {
    expect(await (await serve())()).toBe('UNAUTHENTICATED');
  });

  it('is told that keys are missing, and not let in', async () => {
    const call = await serve();
    const value = await bearer(issuer.token({ roles: ['admin'] }));
    issuer.close();
    expect(await call(value)).toBe('UNAVAILABLE');
  });
});

it.each(DOORS.slice(1))(
  'a caller over %s that sends `authorization` twice gets 401',
  async (_, serve) => {
    const call = await serve();
    const value = await bearer(issuer.token({ roles: ['admin'] }));
    expect(await call(value)).toBe('OK');
    expect(await call(value, value)).toBe('UNAUTHENTICATED');
  },
);
