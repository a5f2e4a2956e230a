import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  Module,
  UseGuards,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import {
  Args,
  Field,
  Int,
  ObjectType,
  Parent,
  Query,
  ResolveField,
  Resolver,
  Subscription,
} from '@nestjs/graphql';
import type { Decision } from '../decide/decision.js';
import type { Subject } from '../subject/subject.js';
import { AuthzGuard } from './authz.guard.js';
import { AuthzModule, type AuthzModuleOptions } from './authz.module.js';
import { CurrentSubject, Public, Requires } from './authz.decorators.js';
import {
  GRAPHQL_DRIVERS,
  type GraphqlAnswer,
  type GraphqlDriver,
  type GraphqlOptions,
  query,
  subscribe,
} from './graphql.fixture.js';
import { subjectFromHeader } from './shop.fixture.js';

const ADMIN = { roles: { anyOf: ['admin'] } };
const asked: string[] = [];

class Asked implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    asked.push(context.getHandler().name);
    return true;
  }
}

@ObjectType()
class Order {
  @Field(() => Int)
  id!: number;
}

@Resolver(() => Order)
class OrderResolver {
  @Query(() => String)
  @UseGuards(new Asked())
  bare(): string {
    return 'in';
  }

  @Query(() => String)
  @Public()
  open(@CurrentSubject() who: Subject | null): string {
    return `for ${who?.id}`;
  }

  @Query(() => String)
  @Requires(ADMIN)
  own(
    @CurrentSubject() who: Subject,
    @Args('no', { type: () => Int, nullable: true }) no?: number,
  ) {
    return `${no ?? ''} for ${who.id}`;
  }

  @Query(() => String)
  @Requires({})
  @UseGuards(AuthzGuard)
  any(@CurrentSubject() who: Subject): string {
    return `for ${who.id}`;
  }

  @Query(() => [Order])
  @Public()
  orders(): Order[] {
    return [{ id: 1 }, { id: 2 }, { id: 3 }];
  }

  @ResolveField(() => String, { nullable: true })
  @Requires(ADMIN)
  price(@Parent() { id }: Order, @CurrentSubject() who: Subject): string {
    return `${id} for ${who.id}`;
  }

  @Subscription(() => String, { resolve: (text: string) => text })
  @Requires(ADMIN)
  async *watched(@CurrentSubject() who: Subject): AsyncGenerator<string> {
    yield await Promise.resolve(`for ${who.id}`);
  }
}

const decided: Decision[] = [];
let app: INestApplication;
afterEach(async () => {
  decided.length = 0;
  asked.length = 0;
  logged.length = 0;
  await app.close();
});

const logged: unknown[] = [];
const note = (...words: unknown[]): void => void logged.push(words);

async function serve(
  driver: GraphqlDriver,
  options: Partial<AuthzModuleOptions> = {},
  graphql: GraphqlOptions = {},
) {
  @Module({
    imports: [
      driver.module({ fieldResolverEnhancers: ['guards'], ...graphql }),
      AuthzModule.forRoot({
        subject: subjectFromHeader,
        onDecision: (decision) => void decided.push(decision),
        ...options,
      }),
    ],
    providers: [OrderResolver, { provide: APP_GUARD, useClass: Asked }],
  })
  class App {}
  app = await NestFactory.create(App, driver.adapter(), {
    logger: { log: () => {}, warn: () => {}, error: note, fatal: note },
    abortOnError: false,
  });
  await app.listen(0, '127.0.0.1');
}

const refusal = (code: string, message: string) => ({
  errors: [{ message, extensions: expect.objectContaining({ code }) as unknown }],
});

describe.each(Object.entries(GRAPHQL_DRIVERS))('resolvers behind %s', (_, driver) => {
  it('without policies stay as they were, and the guards of the app are asked', async () => {
    await serve(driver);
    expect(await query(app, '{ bare }')).toMatchObject({ data: { bare: 'in' } });
    expect(asked).toEqual(['bare', 'bare']);
    expect(decided).toMatchObject([
      { allowed: true, reason: 'unannotated', door: 'graphql', method: 'OrderResolver.bare' },
    ]);
  });

  it("are closed under unannotated: 'deny' until a decorator opens them", async () => {
    await serve(driver, { unannotated: 'deny' });
    expect(await query(app, '{ bare }')).toMatchObject(
      refusal('FORBIDDEN', 'no one may call this method'),
    );
    expect(await query(app, '{ open }')).toMatchObject({ data: { open: 'for undefined' } });
  });

  it.each([
    ['admin', { data: { own: ' for admin' } }],
    ['staff', refusal('FORBIDDEN', 'permission denied')],
    [undefined, refusal('UNAUTHENTICATED', 'credentials are missing')],
    ['broken', refusal('UNAUTHENTICATED', 'the credentials were not accepted')],
  ])('ask who sent the request: %s', async (roles, expected) => {
    await serve(driver);
    const headers: Record<string, string> = roles === undefined ? {} : { 'x-roles': roles };
    expect(await query(app, '{ own }', headers)).toMatchObject(expected);
    expect(logged).toEqual([]);
  });

  it('are decided about once in an operation, however many fields ask', async () => {
    let subjects = 0;
    await serve(driver, {
      subject: async (call) => {
        subjects += 1;
        await Promise.resolve();
        return subjectFromHeader(call);
      },
    });
    const text = '{ a: own(no: 1) b: own(no: 2) any orders { id price } }';
    expect(await query(app, text, { 'x-roles': 'admin' })).toMatchObject({
      data: {
        a: '1 for admin',
        b: '2 for admin',
        any: 'for admin',
        orders: [1, 2, 3].map((id) => ({ id, price: `${id} for admin` })),
      },
    });
    expect(decided.map(({ method }) => method).toSorted()).toEqual([
      'OrderResolver.any',
      'OrderResolver.orders',
      'OrderResolver.own',
      'OrderResolver.price',
    ]);
    expect(subjects).toBe(3);
  });

  it('are refused field by field, and decided about once', async () => {
    await serve(driver, { subject: () => null });
    const { data, errors } = await query(app, '{ orders { id price } }');
    expect(data).toEqual({ orders: [1, 2, 3].map((id) => ({ id, price: null })) });
    expect(errors?.map(({ path, extensions }) => [path, extensions?.['code']])).toEqual(
      [0, 1, 2].map((at) => [['orders', at, 'price'], 'UNAUTHENTICATED']),
    );
    expect(decided.map(({ reason }) => reason)).toEqual(['public', 'anonymous']);
  });

  it('of a batch are each asked for', async () => {
    await serve(driver);
    const both = ['{ own }', '{ any }'];
    expect(await query<GraphqlAnswer[]>(app, both, { 'x-roles': 'staff' })).toMatchObject([
      refusal('FORBIDDEN', 'permission denied'),
      { data: { any: 'for staff' } },
    ]);
  });

  it('of subscriptions get the handshake', async () => {
    await serve(driver);
    const text = 'subscription { watched }';
    expect(await subscribe(app, text, { 'x-roles': 'admin' })).toMatchObject([
      { data: { watched: 'for admin' } },
    ]);
    expect(await subscribe(app, text, { 'x-roles': 'staff' })).toMatchObject([
      refusal('FORBIDDEN', 'permission denied'),
    ]);
    expect(await subscribe(app, text)).toMatchObject([
      refusal('UNAUTHENTICATED', 'credentials are missing'),
    ]);
  });
});
