import { ProblemDetailsModule } from '@apix/calls/nest';
import { Code, type StatusError, StatusError as Status, httpStatusOf } from '@apix/contracts';
import { ProtoModule, ProtoRegistry } from '@apix/proto';
import { Metadata } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClientProxyFactory, MessagePattern, RpcException, Transport } from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { lastValueFrom } from 'rxjs';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import { Authorizer } from '../decide/authorizer.js';
import { DECISIONS, everyPolicyAs, policySet } from '../policy-set.fixture.js';
import { startGuardedServer } from '../testing/guarded-server.js';
import { AuthzModule } from './authz.module.js';
import { EnforceMethod } from './authz.decorators.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

type Subject = () => unknown;

/** What a call came to: the status' name. */
type Caller = (method: string) => Promise<string>;

const optionsFor = (subject: Subject): AuthorizerOptions => ({
  subject: subject as AuthorizerOptions['subject'],
  subjectTimeout: '20ms',
});

async function grpc(
  kind: 'unary' | 'server_stream' | 'client_stream' | 'bidi_stream',
  subject: Subject,
) {
  const registry = ProtoRegistry.load(policySet(everyPolicyAs(kind)));
  const authorizer = new Authorizer(registry, optionsFor(subject));
  const server = await startGuardedServer(registry, authorizer);
  closers.push(() => server.close());
  const call: Caller = async (method) => {
    const { status, decoded } = await server.call(method, {});
    return status === 'OK' || decoded === 0 ? status : `${status} after decoding`;
  };
  return call;
}

@Controller('test.Orders')
class OrdersController {
  @Get('Own')
  @MessagePattern('/test.Orders/Own')
  @EnforceMethod('/test.Orders/Own')
  own() {}

  @Get('Default')
  @MessagePattern('/test.Orders/Default')
  @EnforceMethod('/test.Orders/Default')
  byDefault() {}

  @Get('Public')
  @MessagePattern('/test.Orders/Public')
  @EnforceMethod('/test.Orders/Public')
  open() {}

  @Get('Empty')
  @MessagePattern('/test.Orders/Empty')
  @EnforceMethod('/test.Orders/Empty')
  empty() {}

  @Get('Compound')
  @MessagePattern('/test.Orders/Compound')
  @EnforceMethod('/test.Orders/Compound')
  compound() {}
}

@Controller('test.Bare')
class BareController {
  @Get('Nothing')
  @MessagePattern('/test.Bare/Nothing')
  @EnforceMethod('/test.Bare/Nothing')
  nothing() {}
}

function appOf(subject: Subject): Type {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: policySet(everyPolicyAs('unary')) }),
      AuthzModule.forRoot(optionsFor(subject)),
      // With which answers over HTTP have the code.
      ProblemDetailsModule,
    ],
    controllers: [OrdersController, BareController],
  })
  class App {}
  return App;
}

const QUIET = { logger: false, abortOnError: false } as const;
const TCP = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } } as const;

async function messages(subject: Subject): Promise<Caller> {
  const app = await NestFactory.createMicroservice(appOf(subject), { ...QUIET, ...TCP });
  closers.push(() => app.close());
  await app.listen();
  const { port } = app.unwrap<NetServer>().address() as AddressInfo;
  const client = ClientProxyFactory.create({ ...TCP, options: { ...TCP.options, port } });
  closers.push(() => client.close());
  return (method) =>
    lastValueFrom(client.send<unknown>(method, {}), { defaultValue: 'OK' }).then(
      () => 'OK',
      (error: { readonly code?: string }) => error.code ?? 'no code',
    );
}

async function http(adapter: ExpressAdapter | FastifyAdapter, subject: Subject): Promise<Caller> {
  const app = await NestFactory.create(appOf(subject), adapter, QUIET);
  closers.push(() => app.close());
  await app.listen(0, '127.0.0.1');
  const base = await app.getUrl();
  return async (method) => {
    const response = await fetch(base + method);
    const text = await response.text();
    if (response.ok) return 'OK';
    const { code } = JSON.parse(text) as { readonly code: keyof typeof Code };
    return response.status === httpStatusOf(Code[code]) ? code : `${response.status} ${code}`;
  };
}

const DOORS: readonly (readonly [string, (subject: Subject) => Promise<Caller>])[] = [
  ['a unary gRPC call', (subject) => grpc('unary', subject)],
  ['a server stream', (subject) => grpc('server_stream', subject)],
  ['a client stream', (subject) => grpc('client_stream', subject)],
  ['a stream both ways', (subject) => grpc('bidi_stream', subject)],
  ['HTTP on Express', (subject) => http(new ExpressAdapter(), subject)],
  ['HTTP on Fastify', (subject) => http(new FastifyAdapter(), subject)],
  ['a message over TCP', messages],
];

const staff = { roles: ['staff'], permissions: [] };
const metadata = new Metadata();
metadata.set('x-why', 'closed');
const coded = (code: Code, more: object = {}) =>
  Object.assign(new Error('x'), { code, details: 'later', ...more });
const grpcError = coded(Code.UNAVAILABLE, { metadata });
const grpcOk = coded(Code.OK, { metadata });
const unreachable = new Proxy(new Error('x'), {
  get: () => raise(new Error('look at me not')),
});
const foreignOk = { [Symbol.for('apix.StatusError')]: true, code: 0, message: 'come in' };

/** Answers what is asked of it, and later something else. */
function turning(first: unknown, later: () => unknown, times = 1): object {
  let asked = 0;
  return {
    permissions: [],
    get roles() {
      asked++;
      return asked <= times ? first : later();
    },
  };
}

/** Something that is awaited, and is no promise. */
const thenable = (then: () => void): object =>
  new Proxy({}, { has: () => true, get: (_, key) => (key === 'then' ? then : undefined) });

const revoked = Proxy.revocable({}, {});
revoked.revoke();
/** A list that goes on as long as it is read. */
const endless = new Proxy<string[]>([], {
  get: (_, key) => (key === 'length' ? Number.MAX_SAFE_INTEGER : 'guest'),
});
const endlessly = Object.assign(['guest'], {
  *[Symbol.iterator]() {
    for (;;) yield 'guest';
  },
});

const FAILURES: readonly (readonly [string, Subject, keyof typeof Code])[] = [
  ['throws', () => raise(new Error('boom')), 'UNAUTHENTICATED'],
  ['throws no error', () => raise(undefined), 'UNAUTHENTICATED'],
  ['rejects', () => Promise.reject(new Error('boom')), 'UNAUTHENTICATED'],
  ['throws an error with a status', () => raise(new Status(Code.ABORTED, '')), 'ABORTED'],
  ['rejects with a status', () => Promise.reject(new Status(Code.NOT_FOUND, '')), 'NOT_FOUND'],
  ['throws an error of gRPC', () => raise(grpcError), 'UNAVAILABLE'],
  [
    'throws an error with a code and details',
    () => raise(coded(Code.NOT_FOUND)),
    'UNAUTHENTICATED',
  ],
  [
    'throws an object with a code and details',
    () => raise({ code: Code.NOT_FOUND, details: 'x', metadata }),
    'UNAUTHENTICATED',
  ],
  ['throws an RpcException of a text', () => raise(new RpcException('x')), 'UNAUTHENTICATED'],
  ['throws what cannot be looked at', () => raise(unreachable), 'UNAUTHENTICATED'],
  ['throws an RpcException', () => raise(new RpcException({ code: 8 })), 'RESOURCE_EXHAUSTED'],
  ['throws an error of gRPC with code 0', () => raise(grpcOk), 'UNAUTHENTICATED'],
  [
    'throws an RpcException with code 0',
    () => raise(new RpcException({ code: 0 })),
    'UNAUTHENTICATED',
  ],
  ['throws a status of code 0', () => raise(foreignOk), 'UNAUTHENTICATED'],
  ['returns undefined', () => undefined, 'INTERNAL'],
  ['returns true', () => true, 'INTERNAL'],
  ['returns no lists', () => ({}), 'INTERNAL'],
  ['returns roles that are no list', () => ({ ...staff, roles: 'staff' }), 'INTERNAL'],
  ['returns roles that are no text', () => ({ ...staff, roles: [{}] }), 'INTERNAL'],
  ['resolves to garbage', () => Promise.resolve([]), 'INTERNAL'],
  ['returns a proxy of a subject', () => new Proxy(staff, {}), 'INTERNAL'],
  [
    'returns a proxy that throws',
    () => new Proxy(staff, { get: () => raise(new Error('x')) }),
    'INTERNAL',
  ],
  ['resolves to a revoked proxy', async () => revoked.proxy, 'UNAUTHENTICATED'],
  ['returns a list without an end', () => ({ ...staff, roles: endless }), 'INTERNAL'],
  [
    'returns a list with an iterator without an end',
    () => ({ ...staff, roles: endlessly }),
    'PERMISSION_DENIED',
  ],
  [
    'returns roles that throw later',
    () => turning(['staff'], () => raise(new Error('x'))),
    'INTERNAL',
  ],
  ['returns roles that are gone later', () => turning(['staff'], () => null), 'INTERNAL'],
  [
    'returns a thenable that throws',
    () => thenable(() => raise(new Error('x'))),
    'UNAUTHENTICATED',
  ],
  ['returns a thenable that never settles', () => thenable(() => {}), 'DEADLINE_EXCEEDED'],
  ['never settles', () => new Promise(() => {}), 'DEADLINE_EXCEEDED'],
  ['returns null', () => null, 'UNAUTHENTICATED'],
  ['resolves to null', () => Promise.resolve(null), 'UNAUTHENTICATED'],
  ['returns a subject', () => staff, 'OK'],
  ['resolves to a subject', () => Promise.resolve(staff), 'OK'],
];

describe.each(DOORS)('%s', (_, serve) => {
  it.each(FAILURES)('ends well with a subject function that %s', async (__, subject, expected) => {
    const call = await serve(subject);
    expect(await call('/test.Orders/Default')).toBe(expected);
  });

  it('does not call the subject function for public methods', async () => {
    const call = await serve(() => raise(new Error('asked')));
    expect(await call('/test.Orders/Public')).toBe('OK');
    expect(await call('/test.Bare/Nothing')).toBe('OK');
    expect(await call('/test.Orders/Empty')).toBe('UNAUTHENTICATED');
  });

  it('is decided as the tables of the spec say', async () => {
    let who: unknown = null;
    const call = await serve(() => who);
    const got = [];
    for (const [method, caller] of DECISIONS) {
      who = caller && { roles: [], permissions: [], ...caller };
      got.push([method, caller, await call(method)]);
    }
    expect(got).toEqual(DECISIONS);
  });
});

it('an error with a status of its own reaches the caller unchanged', async () => {
  const own = new Status(Code.FAILED_PRECONDITION, 'your account is closed', {
    trailers: { 'x-reason': 'closed' },
  });
  const registry = ProtoRegistry.load(policySet(everyPolicyAs('unary')));
  const authorizer = new Authorizer(
    registry,
    optionsFor(() => raise(own)),
  );
  const server = await startGuardedServer(registry, authorizer);
  closers.push(() => server.close());
  expect(await server.call('/test.Orders/Own', {})).toMatchObject({
    status: 'FAILED_PRECONDITION',
    message: 'your account is closed',
  });
  const thrown = await Promise.resolve()
    .then(() => authorizer.admit({ method: { fullName: '/test.Orders/Own' } } as never))
    .catch((error: unknown) => error as StatusError);
  expect(thrown).toBe(own);
});

function raise(error: unknown): never {
  throw error;
}
