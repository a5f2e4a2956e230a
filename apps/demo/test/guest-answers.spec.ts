import { AuthzModule } from '@apix/authz';
import { ExceptionsModule } from '@apix/calls/nest';
import { LogxModule } from '@apix/logx';
import { collectingSink } from '@apix/logx/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type DynamicModule,
  type ExceptionFilter,
  type INestApplication,
  type LoggerService,
  Module,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import {
  type ClientProxy,
  ClientProxyFactory,
  type MicroserviceOptions,
  Transport,
} from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type AddressInfo, type Server, connect } from 'node:net';
import { lastValueFrom, timeout } from 'rxjs';
import { withNest } from '../../../tools/testing/nest-major.js';
import {
  ClosedFilter,
  ERRORS,
  EverythingFilter,
  ExtendingFilter,
  HttpFilter,
  LateFilter,
  LoginFilter,
  MessageFilter,
  MessagesFilter,
  REQUESTS,
  RequestFilter,
  RethrowingFilter,
  ScopedController,
  ThrowingController,
  throwInMiddleware,
} from './guest-app.fixture.js';

/** Where the filters of an app are. */
interface Filters {
  /** Bound as APP_FILTER in the root module. */
  readonly root?: readonly Type<ExceptionFilter>[];
  /** Bound as APP_FILTER in a module that the root imports. */
  readonly feature?: readonly Type<ExceptionFilter>[];
  /** Bound with `useGlobalFilters`. */
  readonly used?: readonly ExceptionFilter[];
}

const FILTERS: readonly (readonly [string, Filters])[] = [
  ['no filter', {}],
  ['an APP_FILTER for everything', { root: [EverythingFilter] }],
  ['one of a feature module', { feature: [EverythingFilter], root: [HttpFilter] }],
  [
    'one of a feature module for everything else',
    { feature: [HttpFilter], root: [EverythingFilter] },
  ],
  ['filters by useGlobalFilters', { used: [new EverythingFilter(), new LoginFilter()] }],
  ['filters for single errors', { root: [ClosedFilter, LoginFilter, MessageFilter] }],
  ['a filter that throws', { root: [EverythingFilter, RethrowingFilter] }],
  ['a filter that extends that of Nest', { root: [ExtendingFilter] }],
  ['a request-scoped filter', { root: [RequestFilter] }],
  ['a request-scoped filter of a feature', { feature: [RequestFilter], used: [new HttpFilter()] }],
];

type Imports = readonly (Type | DynamicModule)[];

type Adapter = () => ExpressAdapter | FastifyAdapter;

const PLATFORMS: readonly (readonly [string, Adapter, typeof FILTERS])[] = [
  [
    'Express',
    () => new ExpressAdapter(),
    // On Fastify, Nest does not wait for such a filter where middleware has thrown.
    [...FILTERS, ['a filter that answers late', { root: [LateFilter] }]],
  ],
  ['Fastify', () => new FastifyAdapter(), FILTERS],
];

const guests = (): Imports => [
  LogxModule.forRoot({ sinks: [collectingSink()] }),
  AuthzModule.forRoot({ subject: () => null }),
];

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** The app, with what it imports of ours. */
function appOf({ root = [], feature = [] }: Filters, imports: Imports) {
  const provide = (filters: readonly Type<ExceptionFilter>[]) =>
    filters.map((useClass) => ({ provide: APP_FILTER, useClass }));

  @Module({ providers: provide(feature) })
  class FeatureModule {}

  @Module({
    imports: [FeatureModule, ...imports],
    controllers: [ThrowingController, ScopedController],
    providers: provide(root),
  })
  class AppModule {
    configure = throwInMiddleware;
  }
  return AppModule;
}

/** The errors that Nest has written, without their contexts and stacks. */
class Lines implements LoggerService {
  readonly written: string[] = [];
  log(): void {}
  warn(): void {}

  error(message: unknown): void {
    this.written.push(String(message));
  }
}

/** All bytes of the answer to each request but for the date and the id of logx. */
async function answersOf(adapter: Adapter, filters: Filters, imports: Imports = []) {
  const lines = new Lines();
  const app = await NestFactory.create(appOf(filters, imports), adapter(), { logger: lines });
  closers.push(() => app.close());
  app.useGlobalFilters(...(filters.used ?? []));
  await app.listen(0, '127.0.0.1');
  // Routes are made, so that these have no effect.
  app.useGlobalFilters(new MessageFilter(), new LoginFilter());
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const isBareFastify11 = withNest({ 11: app.getHttpAdapter().getType() === 'fastify', 12: false });
  // Nest 11 alone does not survive it there, with no module of ours.
  const requests = REQUESTS.filter(([request]) => !isBareFastify11 || !request.endsWith('begun'));
  const answers = await Promise.all(
    requests.map(async ([request, body]) => ({ request, answer: await ask(port, request, body) })),
  );
  return { answers, lines: lines.written.toSorted() };
}

/** All that comes until the end, or until an SSE handler has failed: Nest leaves its stream open. */
async function ask(port: number, request: string, body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const head = [`${request} HTTP/1.1`, 'host: app', 'connection: close'];
  if (body !== '') {
    head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  }
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  let answer = '';
  try {
    for await (const chunk of socket) {
      answer += String(chunk);
      if (answer.includes('event: error')) break;
    }
  } catch (error) {
    answer += `broken: ${String(error)}`;
  }
  return answer.replace(/^(?:date|x-request-id): .*\r\n/gim, '');
}

describe.each(PLATFORMS)('on %s', (_, adapter, filtersOf) => {
  it.each(filtersOf)('an app with %s answers every error as before', async (__, filters) => {
    const before = await answersOf(adapter, filters);
    const after = await answersOf(adapter, filters, [ExceptionsModule]);
    expect(after).toEqual(before);
    // Logx writes itself what has failed.
    const { answers } = await answersOf(adapter, filters, guests());
    expect(answers).toEqual(before.answers);
  });
});

/** What callers of a message get, and what Nest writes of it and of events. */
async function messagesOf(filters: Filters, imports: Imports = []) {
  const lines = new Lines();
  const app: INestApplication = await NestFactory.create(appOf(filters, imports), {
    logger: lines,
  });
  closers.push(() => app.close());
  app.useGlobalFilters(...(filters.used ?? []));
  const options = { host: '127.0.0.1', port: 0 };
  const service = app.connectMicroservice<MicroserviceOptions>(
    { transport: Transport.TCP, options },
    { inheritAppConfig: true },
  );
  await app.startAllMicroservices();
  const { port } = service.unwrap<Server>().address() as AddressInfo;
  const client: ClientProxy = ClientProxyFactory.create({
    transport: Transport.TCP,
    options: { ...options, port },
  });
  closers.push(() => client.close());
  const answers = await Promise.all(
    Object.keys(ERRORS).map(async (which) => {
      await lastValueFrom(client.emit('event', which), { defaultValue: null });
      const answer: unknown = await lastValueFrom(
        client.send('any', which).pipe(timeout(4000)),
      ).catch((error: unknown) => error);
      return { which, answer: JSON.stringify(answer) };
    }),
  );
  return { answers, lines: lines.written.toSorted() };
}

it.each([
  ['no filter', {}],
  ['a filter for RpcExceptions', { root: [MessageFilter] }],
  ['a filter for everything', { root: [MessagesFilter] }],
  ['filters by useGlobalFilters', { used: [new MessagesFilter(), new MessageFilter()] }],
] as readonly [string, Filters][])(
  'over TCP, an app with %s answers every error as before',
  async (_, filters) => {
    const before = await messagesOf(filters);
    expect(await messagesOf(filters, [ExceptionsModule])).toEqual(before);
    const { answers } = await messagesOf(filters, guests());
    expect(answers).toEqual(before.answers);
  },
);

it('over TCP, an app answers where its only filter was written for HTTP', async () => {
  const { answers } = await messagesOf({ root: [EverythingFilter] }, guests());
  expect(answers.find(({ which }) => which === 'plain')?.answer).toBe(
    JSON.stringify({ status: 'error', message: 'Internal server error' }),
  );
});
