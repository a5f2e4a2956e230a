import { type CallContext, Code, StatusError } from '@apix/contracts';
import { FORWARDED_KEY } from '@apix/contracts/internal';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Inject, Module, Scope } from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import { Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { until } from '../../../../tools/testing/until.js';
import type { Subject, SubjectFunc } from '../subject/subject.js';
import { AuthzModule } from './authz.module.js';
import { CurrentSubject, Requires } from './authz.decorators.js';
import {
  GRAPHQL_DRIVERS,
  type GraphqlDriver,
  type GraphqlOptions,
  query,
  subscribe,
} from './graphql.fixture.js';

/** What the first part of an operation waits for. */
let waiting: (() => Promise<unknown>) | undefined;

@Resolver()
class Orders {
  @Query(() => String)
  @Requires({ roles: { anyOf: ['admin'] } })
  own(@CurrentSubject() who: Subject): string {
    return `for ${who.id}`;
  }

  @Query(() => String)
  open(): string {
    return 'in';
  }

  @Mutation(() => String)
  async wait(): Promise<string> {
    await waiting?.();
    return 'waited';
  }

  @Mutation(() => String)
  @Requires({ roles: { anyOf: ['admin'] } })
  buy(@CurrentSubject() who: Subject): string {
    return `for ${who.id}`;
  }

  @Subscription(() => String, { resolve: (text: string) => text })
  @Requires({ roles: { anyOf: ['admin'] } })
  async *watched(@CurrentSubject() who: Subject): AsyncGenerator<string> {
    yield await Promise.resolve(`for ${who.id}`);
  }
}

@Resolver()
class Scoped {
  constructor(@Inject(REQUEST) readonly request: unknown) {}

  @Query(() => String)
  @Requires({ roles: { anyOf: ['admin'] } })
  scoped(@CurrentSubject() who: Subject): string {
    return `for ${who.id}`;
  }
}
Reflect.defineMetadata('scope:options', { scope: Scope.REQUEST }, Scoped);

const calls: CallContext[] = [];
let app: INestApplication;
afterEach(async () => {
  calls.length = 0;
  waiting = undefined;
  await app.close();
});

const byHeader: SubjectFunc = (call) => {
  calls.push(call);
  const [who] = [...call.metadata.get('authorization'), ...call.metadata.get('x-roles')];
  return who === undefined ? null : { id: who, roles: ['admin'], permissions: [] };
};

async function serve(driver: GraphqlDriver, graphql: GraphqlOptions = {}, subject = byHeader) {
  @Module({
    imports: [driver.module(graphql), AuthzModule.forRoot({ subject })],
    providers: [Orders, Scoped],
  })
  class App {}
  app = await NestFactory.create(App, driver.adapter(), { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
}

const refused = (code: string) => ({
  errors: [{ extensions: expect.objectContaining({ code }) as unknown }],
});

describe.each(Object.entries(GRAPHQL_DRIVERS))('the subject function behind %s', (_, driver) => {
  it('gets headers, address and signal of the request', async () => {
    await serve(driver);
    const headers = { 'x-roles': 'a', cookie: 'b=c', [FORWARDED_KEY]: '1' };
    expect(await query(app, '{ own }', headers)).toEqual({ data: { own: 'for a' } });
    const [call] = calls;
    expect(call!.metadata.get('cookie')).toEqual(['b=c']);
    expect(call!.peer.address).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(call!.forwarded).toBe(true);
    expect(call!.connectionParams).toBeUndefined();
    // The answer has been sent, with which the request ends.
    await until(() => call!.signal.aborted);
  });

  it('is asked for resolvers of a request scope too', async () => {
    await serve(driver);
    expect(await query(app, '{ scoped }', { 'x-roles': 'a' })).toEqual({
      data: { scoped: 'for a' },
    });
  });

  it.each<[string, Record<string, unknown>, Record<string, string>, unknown]>([
    ['counts as authorization', { Authorization: 'a' }, {}, { data: { watched: 'for a' } }],
    [
      'counts as authorization among its headers',
      { headers: { authorization: 'a' } },
      {},
      { data: { watched: 'for a' } },
    ],
    [
      'yields to the handshake',
      { authorization: 'a' },
      { authorization: 'b' },
      { data: { watched: 'for b' } },
    ],
    ['is no other header', { 'x-roles': 'admin' }, {}, refused('UNAUTHENTICATED')],
    [
      'is no other header among its headers',
      { headers: { 'x-roles': 'admin', [FORWARDED_KEY]: '1' } },
      {},
      refused('UNAUTHENTICATED'),
    ],
    [
      'hides no header of the handshake',
      { 'x-roles': 'b', host: 'elsewhere' },
      { 'x-roles': 'a' },
      { data: { watched: 'for a' } },
    ],
  ])('finds that what a client says when it connects %s', async (__, params, headers, expected) => {
    await serve(driver);
    const answers = await subscribe(app, 'subscription { watched }', headers, params);
    expect(answers).toMatchObject([expected]);
    expect(calls[0]!.connectionParams).toEqual(params);
    expect(calls[0]!.forwarded).toBe(false);
  });

  it('gets the handshake of queries over a WebSocket', async () => {
    await serve(driver);
    expect(await subscribe(app, '{ own }', { 'x-roles': 'a' })).toMatchObject([
      { data: { own: 'for a' } },
    ]);
    expect(await subscribe(app, '{ own }', {}, { 'x-roles': 'a' })).toMatchObject([
      refused('UNAUTHENTICATED'),
    ]);
  });

  it.each<[string, GraphqlOptions['context'] & object]>([
    ['an object of its own', () => ({ tenant: 'a' })],
    ['the request under another name', ({ req }: { req?: unknown }) => ({ request: req })],
  ])('gets the request where the context is %s', async (__, context) => {
    await serve(driver, { context });
    expect(await query(app, '{ own }', { 'x-roles': 'a' })).toEqual({ data: { own: 'for a' } });
    expect(await query(app, '{ own }', { 'x-roles': 'b' })).toEqual({ data: { own: 'for b' } });
  });

  it('never takes one caller for another where the context is one object for all', async () => {
    await serve(driver, { context: { tenant: 'a' } });
    // Mercurius puts the latest request into that object, while the first one is under way.
    waiting = () => query(app, '{ open }', { 'x-roles': 'b' });
    const { data, errors } = await query(app, 'mutation { wait buy }', { 'x-roles': 'a' });
    expect((data as { buy?: string } | null)?.buy ?? errors?.[0]?.message).toBe(
      driver === GRAPHQL_DRIVERS['Mercurius on Fastify']
        ? 'operations whose context belongs to several requests cannot be authorized'
        : 'for a',
    );
  });

  it.each<[string, SubjectFunc, string]>([
    ['INTERNAL', () => undefined as never, 'internal error'],
    [
      'DEADLINE_EXCEEDED',
      () => Promise.reject(new StatusError(Code.DEADLINE_EXCEEDED, 'late')),
      'late',
    ],
  ])('that fails with %s is a server error to the client', async (__, subject, message) => {
    await serve(driver, {}, subject);
    expect(await query(app, '{ own }')).toMatchObject({
      errors: [{ message, extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    });
  });
});
