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
import { text } from 'node:stream/consumers';
import { lastValueFrom } from 'rxjs';
import {
  ClosedFilter,
  ERRORS,
  EverythingFilter,
  ExtendingFilter,
  HttpFilter,
  LateFilter,
  LoginFilter,
  MessageFilter,
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
  ['one of a feature module for everything else', { feature: [HttpFilter], root: [LateFilter] }],
  ['filters by useGlobalFilters', { used: [new EverythingFilter(), new LoginFilter()] }],
  ['filters for single errors', { root: [ClosedFilter, LoginFilter, MessageFilter] }],
  ['a filter that throws', { root: [EverythingFilter, RethrowingFilter] }],
  ['a filter that answers late', { root: [LateFilter] }],
  ['a filter that extends that of Nest', { root: [ExtendingFilter] }],
  ['a request-scoped filter', { root: [RequestFilter] }],
  ['a request-scoped filter of a feature', { feature: [RequestFilter], used: [new HttpFilter()] }],
];

type Adapter = () => ExpressAdapter | FastifyAdapter;

const PLATFORMS: readonly (readonly [string, Adapter])[] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
];

const GUESTS: readonly (readonly [string, () => readonly (Type | DynamicModule)[]])[] = [
  ['ExceptionsModule', () => [ExceptionsModule]],
  ['LogxModule', () => [LogxModule.forRoot({ sinks: [collectingSink()] })]],
  ['AuthzModule', () => [AuthzModule.forRoot({ subject: () => null })]],
];

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** The app, with what it imports of ours. */
function appOf({ root = [], feature = [] }: Filters, guests: readonly (Type | DynamicModule)[]) {
  const provide = (filters: readonly Type<ExceptionFilter>[]) =>
    filters.map((useClass) => ({ provide: APP_FILTER, useClass }));

  @Module({ providers: provide(feature) })
  class FeatureModule {}

  @Module({
    imports: [FeatureModule, ...guests],
    controllers: [ThrowingController, ScopedController],
    providers: provide(root),
  })
  class AppModule {
    configure = throwInMiddleware;
  }
  return AppModule;
}

/** What Nest has written, without its contexts and stacks. */
class Lines implements LoggerService {
  readonly written: string[] = [];
  log(): void {}
  warn = (message: unknown): void => void this.written.push(`warn ${String(message)}`);
  error = (message: unknown): void => void this.written.push(`error ${String(message)}`);
}

/** All bytes of the answer to each request but for the date and the id of logx. */
async function answersOf(
  adapter: Adapter,
  filters: Filters,
  guests: readonly (Type | DynamicModule)[] = [],
) {
  const lines = new Lines();
  const app = await NestFactory.create(appOf(filters, guests), adapter(), { logger: lines });
  closers.push(() => app.close());
  app.useGlobalFilters(...(filters.used ?? []));
  await app.listen(0, '127.0.0.1');
  // Routes are made, so that these have no effect.
  app.useGlobalFilters(new MessageFilter(), new LoginFilter());
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const answers = [];
  for (const [request, body] of REQUESTS) {
    lines.written.length = 0;
    const answer = await ask(port, request, body);
    answers.push({ request, answer, lines: [...lines.written] });
  }
  return answers;
}

async function ask(port: number, request: string, body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const broken = new Promise<string>((resolve) => {
    socket.once('error', (error) => resolve(`broken: ${error.message}`));
    socket.setTimeout(500, () => resolve('no answer'));
  });
  const head = [`${request} HTTP/1.1`, 'host: app', 'connection: close'];
  if (body !== '') {
    head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  }
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const answer = await Promise.race([text(socket), broken]);
  return answer.replace(/^(?:date|x-request-id): .*\r\n/gim, '');
}

describe.each(PLATFORMS)('on %s', (_, adapter) => {
  describe.each(FILTERS)('an app with %s', (__, filters) => {
    it.each(GUESTS)('answers every error as before when it imports %s', async (name, guests) => {
      const before = await answersOf(adapter, filters);
      const after = await answersOf(adapter, filters, guests());
      if (name === 'LogxModule') {
        for (const row of [...before, ...after]) row.lines.length = 0;
      }
      expect(after).toEqual(before);
    });
  });
});

/** What callers of a message get, and what Nest writes of it and of events. */
async function messagesOf(filters: Filters, guests: readonly (Type | DynamicModule)[] = []) {
  const lines = new Lines();
  const app: INestApplication = await NestFactory.create(appOf(filters, guests), {
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
  const answers = [];
  for (const which of Object.keys(ERRORS)) {
    lines.written.length = 0;
    const answer: unknown = await lastValueFrom(client.send('any', which)).catch(
      (error: unknown) => error,
    );
    await lastValueFrom(client.emit('event', which), { defaultValue: null });
    // The event was taken when a later message is answered.
    await lastValueFrom(client.send('any', 'rpc')).catch(() => {});
    answers.push({ which, answer: String(JSON.stringify(answer)), lines: [...lines.written] });
  }
  return answers;
}

describe.each(FILTERS)('over TCP, an app with %s', (_, filters) => {
  it.each(GUESTS)('answers every error as before when it imports %s', async (name, guests) => {
    const before = await messagesOf(filters);
    const after = await messagesOf(filters, guests());
    if (name === 'LogxModule') {
      for (const row of [...before, ...after]) row.lines.length = 0;
    }
    expect(after).toEqual(before);
  });
});
