import { encodeBadRequest } from '@apix/calls';
import { statusOf } from '@apix/calls/grpc';
import { ProblemDetailsModule } from '@apix/calls/nest';
import { Code, StatusError } from '@apix/contracts';
import { ProtoModule, ProtoRegistry } from '@apix/proto';
import {
  Client,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceError,
  type StatusObject,
  credentials,
} from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { RpcException } from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Authorizer } from '../decide/authorizer.js';
import { policySet } from '../policy-set.fixture.js';
import { startGuardedServer } from '../testing/guarded-server.js';
import { AuthzModule } from './authz.module.js';
import { EnforceMethod } from './authz.decorators.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

type SubjectFunc = () => Promise<never>;

/** What a caller sees. */
interface Seen {
  readonly code: keyof typeof Code;
  readonly text: string;
  readonly trailers: Metadata;
}

const POLICIES = policySet({ Orders: { methods: { Cancel: { requires: {} } } } });
const same = (bytes: Buffer): Buffer => bytes;

function unary(address: string, path: string): Promise<ServiceError | null> {
  const client = new Client(address, credentials.createInsecure());
  closers.push(() => client.close());
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, same, same, Buffer.alloc(0), resolve);
  });
}

async function overGrpc(subject: SubjectFunc): Promise<Seen> {
  const registry = ProtoRegistry.load(POLICIES);
  const server = await startGuardedServer(registry, new Authorizer(registry, { subject }));
  closers.push(() => server.close());
  const { code, details, metadata } = (await unary(server.address, '/test.Orders/Cancel'))!;
  return { code: Code[code] as keyof typeof Code, text: details, trailers: metadata };
}

@Controller()
class OrdersController {
  @Get('cancel')
  @EnforceMethod('/test.Orders/Cancel')
  cancel(): void {}
}

async function overHttp(
  adapter: ExpressAdapter | FastifyAdapter,
  subject: SubjectFunc,
): Promise<Seen> {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: POLICIES }),
      AuthzModule.forRoot({ subject }),
      // With which answers over HTTP have the code.
      ProblemDetailsModule,
    ],
    controllers: [OrdersController],
  })
  class App {}
  const app = await NestFactory.create(App, adapter, { logger: false, abortOnError: false });
  closers.push(() => app.close());
  await app.listen(0, '127.0.0.1');
  const answer = await fetch(`${await app.getUrl()}/cancel`);
  const { code, detail } = (await answer.json()) as { code: Seen['code']; detail: string };
  return { code, text: detail, trailers: new Metadata() };
}

/** The address of a server that ends every call like this. */
async function identityServer(status: Partial<StatusObject>): Promise<string> {
  const server = new Server();
  const definition = {
    path: '/id.Users/Who',
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  } as const;
  server.addService(
    { Who: definition },
    { Who: (_: unknown, done: (error: Partial<StatusObject>) => void) => done(status) },
  );
  closers.push(() => server.forceShutdown());
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return `127.0.0.1:${port}`;
}

/** A subject function that asks a gRPC server who calls. */
const asking =
  (address: string, wrap = (error: unknown) => error): SubjectFunc =>
  async () => {
    throw wrap(await unary(address, '/id.Users/Who'));
  };
const inRpcException = (error: unknown): RpcException => new RpcException(error as object);

const DOORS: readonly (readonly [string, (subject: SubjectFunc) => Promise<Seen>])[] = [
  ['gRPC', overGrpc],
  ['HTTP on Express', (subject) => overHttp(new ExpressAdapter(), subject)],
  ['HTTP on Fastify', (subject) => overHttp(new FastifyAdapter(), subject)],
];

describe.each(DOORS)('over %s, the subject function', (_, ask) => {
  it.each([
    ['alone', undefined],
    ['in an RpcException', inRpcException],
  ])('whose server cannot be reached tells no address, its error %s', async (__, wrap) => {
    const { code, text } = await ask(asking('127.0.0.1:1', wrap));
    expect([code, text]).toEqual(['UNAVAILABLE', 'the credentials could not be checked']);
  });

  it.each([
    ['alone', undefined],
    ['in an RpcException', inRpcException],
  ])('whose server refuses passes its status on, its error %s', async (__, wrap) => {
    const status = { code: Code.RESOURCE_EXHAUSTED as number, details: 'too many logins' };
    const { code, text } = await ask(asking(await identityServer(status), wrap));
    expect([code, text]).toEqual(['RESOURCE_EXHAUSTED', 'too many logins']);
  });

  it('that fails with a code and details of no gRPC call tells nothing of them', async () => {
    const error = Object.assign(new Error('10.0.0.5'), { code: 7, details: '10.0.0.5' });
    const { code, text } = await ask(() => Promise.reject(error));
    expect([code, text]).toEqual(['UNAUTHENTICATED', 'the credentials were not accepted']);
  });
});

it('over gRPC, the trailers and details of the server that was asked reach the caller', async () => {
  const [first, second] = ['a', 'b'].map((field) =>
    encodeBadRequest([{ field, description: 'is wrong', reason: 'wrong' }]),
  );
  const refusal = new StatusError(Code.FAILED_PRECONDITION, 'accept the terms', {
    details: [first!, second!],
    trailers: { 'x-why': 'terms', 'x-raw-bin': Buffer.from([0, 255]) },
  });
  const { text, trailers } = await overGrpc(
    asking(await identityServer(statusOf(refusal) as never)),
  );
  expect(text).toBe('accept the terms');
  expect(trailers.get('x-why')).toEqual(['terms']);
  expect(trailers.get('x-raw-bin')).toEqual([Buffer.from([0, 255])]);
  const [packed] = trailers.get('grpc-status-details-bin') as Buffer[];
  for (const { value } of [first!, second!]) {
    expect(packed!.includes(Buffer.from(value))).toBe(true);
  }
});

it('over gRPC, the metadata of an RpcException reaches the caller', async () => {
  const metadata = new Metadata();
  metadata.set('x-why', 'closed');
  const error = new RpcException({ code: Code.ABORTED, message: 'again', metadata });
  const { code, text, trailers } = await overGrpc(() => Promise.reject(error));
  expect([code, text, trailers.get('x-why')]).toEqual(['ABORTED', 'again', ['closed']]);
});
