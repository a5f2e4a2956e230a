import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { ExternalContextCreator, NestFactory } from '@nestjs/core';
import { Args, Context, Parent, Query, ResolveReference, Resolver } from '@nestjs/graphql';
import { GqlParamsFactory } from '@nestjs/graphql/dist/factories/params.factory.js';
import type { Decision } from '../decide/decision.js';
import type { Subject } from '../subject/subject.js';
import { AuthzModule } from './authz.module.js';
import { CurrentSubject, Requires } from './authz.decorators.js';
import { subjectFromHeader } from './shop.fixture.js';

@Injectable()
@Resolver('Order')
class Orders {
  @ResolveReference()
  @Requires({ roles: { anyOf: ['admin'] } })
  resolveReference(@Parent() { id }: { id: number }, @CurrentSubject() who: Subject) {
    return `${id} for ${who.id}`;
  }

  @Query(() => String)
  @Requires({ roles: { anyOf: ['admin'] } })
  order(@Args('id') id: number, @Context() _: unknown, @CurrentSubject() who: Subject) {
    return `${id} for ${who.id}`;
  }
}

const decided: Decision[] = [];
let app: INestApplicationContext;
afterEach(async () => {
  decided.length = 0;
  await app.close();
});

/** Has Nest run a method as its GraphQL module does, with arguments as graphql-js gives them. */
async function resolver(method: 'resolveReference' | 'order') {
  @Module({
    imports: [
      AuthzModule.forRoot({
        subject: subjectFromHeader,
        onDecision: (decision) => void decided.push(decision),
      }),
    ],
    providers: [Orders],
  })
  class App {}
  app = await NestFactory.createApplicationContext(App, { logger: false, abortOnError: false });
  const orders = app.get(Orders);
  return app
    .get(ExternalContextCreator)
    .create(
      orders,
      Reflect.get(Orders.prototype, method) as (...args: unknown[]) => unknown,
      method,
      '__routeArguments__',
      new GqlParamsFactory(),
      undefined,
      undefined,
      { guards: true, interceptors: true, filters: true },
      'graphql',
    ) as (...args: unknown[]) => Promise<unknown>;
}

const requestOf = (roles: string): object => ({
  headers: { 'x-roles': roles },
  rawHeaders: ['x-roles', roles],
  socket: {},
});

describe('a resolver of references, which has no arguments of its own,', () => {
  it('is asked for by the context that it gets', async () => {
    const resolve = await resolver('resolveReference');
    const info = { variableValues: {} };
    const shared = { req: requestOf('admin') };
    expect(await resolve({ id: 1 }, shared, info)).toBe('1 for admin');
    expect(await resolve({ id: 2 }, shared, info)).toBe('2 for admin');
    expect(decided).toHaveLength(1);
    const other = resolve({ id: 3 }, { req: requestOf('staff') }, { variableValues: {} });
    await expect(other).rejects.toMatchObject({ extensions: { code: 'FORBIDDEN' } });
  });
});

describe('what was decided about an operation', () => {
  it.each<[string, object, object]>([
    ['another execution', { req: requestOf('staff') }, { variableValues: {} }],
    ['another context', { req: requestOf('staff') }, { variableValues: 'the same' }],
    ['an execution that nothing is known of', { req: requestOf('staff') }, {}],
  ])('does not count for %s', async (_, shared, info) => {
    const order = await resolver('order');
    const variableValues = {};
    expect(await order(undefined, { id: 1 }, { req: requestOf('admin') }, { variableValues })).toBe(
      '1 for admin',
    );
    const same = 'variableValues' in info && info.variableValues === 'the same';
    const refused = order(undefined, { id: 1 }, shared, same ? { variableValues } : info);
    await expect(refused).rejects.toMatchObject({ extensions: { code: 'FORBIDDEN' } });
  });

  it('does not count for another execution with the same context', async () => {
    const order = await resolver('order');
    const shared = { req: requestOf('admin') };
    await order(undefined, { id: 1 }, shared, { variableValues: {} });
    shared.req = requestOf('staff');
    const refused = order(undefined, { id: 1 }, shared, { variableValues: {} });
    await expect(refused).rejects.toMatchObject({ extensions: { code: 'FORBIDDEN' } });
  });
});
