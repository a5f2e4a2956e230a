import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { type DynamicModule, type INestApplication, Module } from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { GraphQLModule, Int, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { trace } from '@opentelemetry/api';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { RecordedSpans, brief, forgetSpans } from '../../recorded-spans.fixture.js';
import type { TracingModuleOptions } from './tracing-module-options.js';
import { TracingModule } from './tracing.module.js';

const query = (): void => trace.getTracer('app').startSpan('query').end();

@Resolver()
class Orders {
  @Query(() => Int) async count(): Promise<number> {
    await Promise.resolve();
    query();
    return 3;
  }

  @Query(() => Int) total(): number {
    return 7;
  }

  @Mutation(() => Int) order(): number {
    throw new RangeError('none left');
  }

  @Subscription(() => Int, { resolve: (value: number) => value })
  async *ordered(): AsyncGenerator<number> {
    query();
    yield 1;
    yield 2;
  }
}

const DRIVERS: Readonly<Record<string, [() => AbstractHttpAdapter, () => DynamicModule]>> = {
  Apollo: [
    () => new ExpressAdapter(),
    () =>
      GraphQLModule.forRoot<ApolloDriverConfig>({
        driver: ApolloDriver,
        autoSchemaFile: true,
        graphiql: false,
        subscriptions: { 'graphql-ws': true },
      }),
  ],
  Mercurius: [
    () => new FastifyAdapter(),
    () =>
      GraphQLModule.forRoot<MercuriusDriverConfig>({
        driver: MercuriusDriver,
        autoSchemaFile: true,
        graphiql: false,
        subscription: { fullWsTransport: true },
      }),
  ],
};

let recorded: RecordedSpans;
let app: INestApplication | undefined;

beforeEach(() => void (recorded = new RecordedSpans()));
afterEach(async () => {
  await app?.close();
  app = undefined;
  forgetSpans();
});

async function start(driver: string, graphql?: TracingModuleOptions['graphql']): Promise<void> {
  const [adapter, module] = DRIVERS[driver]!;
  @Module({ imports: [module(), TracingModule.forRoot({ graphql })], providers: [Orders] })
  class App {}
  app = await NestFactory.create(App, adapter(), { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
}

async function ask(text: string): Promise<unknown> {
  const answer = await fetch(`${await app!.getUrl()}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  });
  return answer.json();
}

async function listen(text: string): Promise<unknown[]> {
  const client = createClient({
    url: `${(await app!.getUrl()).replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  });
  const values: unknown[] = [];
  for await (const value of client.iterate({ query: text })) values.push(value);
  await client.dispose();
  return values;
}

const spans = (): readonly string[] => recorded.paths;

describe.each(Object.keys(DRIVERS))('an operation of %s', (driver) => {
  it('has one span, which is active in its resolvers', async () => {
    await start(driver);
    expect(await ask('query Figures { count total }')).toEqual({ data: { count: 3, total: 7 } });
    expect(spans()).toEqual([
      'SERVER POST',
      'SERVER POST > SERVER query',
      'SERVER POST > SERVER query > INTERNAL query',
    ]);
    const span = recorded.all.find((one) => brief(one) === 'SERVER query')!;
    expect(span.attributes).toEqual({
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'Figures',
    });
  });

  it('that fails marks its span with what was thrown', async () => {
    await start(driver);
    await ask('mutation { order }');
    expect(spans()).toEqual(['SERVER POST', 'SERVER POST > SERVER mutation ERROR RangeError']);
  });

  it('has spans of its root resolvers, names and documents by option', async () => {
    await start(driver, { resolvers: true, operationNames: true, documents: true });
    await ask('query Figures { count }');
    expect(spans()).toEqual([
      'SERVER POST',
      'SERVER POST > SERVER query Figures',
      'SERVER POST > SERVER query Figures > INTERNAL Query.count',
      'SERVER POST > SERVER query Figures > INTERNAL Query.count > INTERNAL query',
    ]);
    const span = recorded.all.find(({ name }) => name === 'query Figures')!;
    expect(span.attributes).toMatchObject({ 'graphql.document': 'query Figures { count }' });
  });

  it('that is a subscription has a span until its last value', async () => {
    await start(driver);
    expect(await listen('subscription { ordered }')).toHaveLength(2);
    expect(spans()).toEqual([
      'SERVER GET',
      'SERVER subscription',
      'SERVER subscription > INTERNAL query',
    ]);
  });

  it('has none by option', async () => {
    await start(driver, false);
    await ask('{ total }');
    expect(spans()).toEqual(['SERVER POST']);
  });
});

it('an operation of Apollo that cannot be read has a span of no type', async () => {
  await start('Apollo');
  await ask('{ nothing }');
  expect(spans()).toEqual([
    'SERVER POST',
    'SERVER POST > SERVER GraphQL Operation ERROR GraphQLError',
  ]);
});
