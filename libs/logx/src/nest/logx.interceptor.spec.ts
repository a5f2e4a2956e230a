import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  type INestApplication,
  Injectable,
  Module,
  type ModuleMetadata,
  type NestInterceptor,
  Scope,
  UseGuards,
} from '@nestjs/common';
import { APP_INTERCEPTOR, ApplicationConfig, LazyModuleLoader, NestFactory } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import {
  Field,
  GraphQLModule,
  Int,
  ObjectType,
  Query,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';
import { WsAdapter } from '@nestjs/platform-ws';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { of } from 'rxjs';
import { WebSocket } from 'ws';
import { withNest } from '../../../../tools/testing/nest-major.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import { LogxInterceptor } from './logx.interceptor.js';
import { LogxModule } from './logx.module.js';
import { RequestLog } from './request-log.decorator.js';
import { REQUEST } from './running.fixture.js';

const deny = { canActivate: () => false };

@Controller({ path: 'scoped', scope: Scope.REQUEST })
class Scoped {
  @Get() find(): string {
    return 'found';
  }
}

@RequestLog('off')
@Controller('quiet')
class Quiet {
  @Get()
  @UseGuards(deny)
  refused(): void {}
}

@ObjectType()
class Order {
  @Field(() => Int) declare id: number;
}

@Resolver(() => Order)
class Orders {
  @Query(() => [Order]) orders(): Order[] {
    return [{ id: 1 }, { id: 2 }];
  }

  @Query(() => Int) total(): number {
    return 2;
  }

  @ResolveField(() => Int) lines(): number {
    return 3;
  }
}

@WebSocketGateway({ path: '/chat' })
class Chat {
  @SubscribeMessage('say') say(): object {
    return { event: 'said', data: 'yes' };
  }
}

/** What the interceptors of an app have been through. */
let passed: string[] = [];

function passing(name: string): NestInterceptor {
  return {
    intercept(_context: ExecutionContext, next: CallHandler) {
      passed.push(name);
      return next.handle();
    },
  };
}

let app: INestApplication | undefined;
let logged: CollectingSink;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function start(
  metadata: ModuleMetadata,
  prepare: (app: INestApplication) => void = () => {},
): Promise<string> {
  passed = [];
  logged = collectingSink();
  const { imports = [], ...rest } = metadata;
  @Module({ imports: [LogxModule.forRoot({ sinks: [logged] }), ...imports], ...rest })
  class App {}
  const made = await NestFactory.create(App, { logger: false, abortOnError: false });
  app = made;
  prepare(made);
  await made.listen(0, '127.0.0.1');
  const { port } = (made.getHttpServer() as Server).address() as AddressInfo;
  return `127.0.0.1:${port}`;
}

async function eventOf(path: string, init: RequestInit = {}) {
  await (await fetch(`http://${path}`, init)).text();
  return (await loggedUntil(logged, REQUEST)).last();
}

describe('LogxInterceptor', () => {
  it('returns what the handler returns, untouched', () => {
    const handled = of(1);
    const context = new ExecutionContextHost([{}, {}], Scoped, () => 'found');
    const next = { handle: () => handled };
    expect(new LogxInterceptor().intercept(context, next)).toBe(handled);
  });

  it('lets pass what cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const handled = of(1);
    const context = new ExecutionContextHost([proxy], Scoped, () => 'found');
    expect(new LogxInterceptor().intercept(context, { handle: () => handled })).toBe(handled);
  });

  it('is a global interceptor, and the only thing that LogxModule adds to routes', async () => {
    const create: unknown = Reflect.get(RouterExecutionContext.prototype, 'create');
    await start({ controllers: [Scoped] });
    const config = app!.get(ApplicationConfig);
    const names = config.getGlobalInterceptors().map((it) => it.constructor.name);
    expect(names.filter((name) => name === 'LogxInterceptor')).toHaveLength(1);
    expect(Reflect.get(RouterExecutionContext.prototype, 'create')).toBe(create);
  });

  it('names the handler of a controller that lives as long as its request', async () => {
    const at = await start({ controllers: [Scoped] });
    expect(await eventOf(`${at}/scoped`)).toMatchObject({
      status: 200,
      handler: 'Scoped.find',
      route: '/scoped',
    });
  });

  it('works with interceptors of the app, in their order', async () => {
    const at = await start(
      {
        controllers: [Scoped],
        providers: [{ provide: APP_INTERCEPTOR, useValue: passing('own') }],
      },
      (it) => void it.useGlobalInterceptors(passing('added')),
    );
    expect(await eventOf(`${at}/scoped`)).toMatchObject({ handler: 'Scoped.find' });
    expect(passed).toEqual(['own', 'added']);
  });

  it('serves apps that load modules lazily', async () => {
    const at = await start({ controllers: [Scoped] });
    @Injectable()
    class Late {}
    @Module({ providers: [Late] })
    class LateModule {}
    await app!.get(LazyModuleLoader).load(() => LateModule);
    expect(await eventOf(`${at}/scoped`)).toMatchObject({ handler: 'Scoped.find' });
  });

  it('is not reached by what a guard refuses, whose @RequestLog counts all the same', async () => {
    const at = await start({ controllers: [Quiet, Scoped] });
    expect((await fetch(`http://${at}/quiet`)).status).toBe(403);
    await eventOf(`${at}/scoped`);
    expect(logged.with({ Path: '/quiet' }).count).toBe(0);
  });

  it.each([
    ['by default', undefined],
    ['with interceptors at fields', ['interceptors'] as const],
  ])('names the first resolver of an operation of GraphQL %s', async (_, enhancers) => {
    const at = await start({
      imports: [
        GraphQLModule.forRoot<ApolloDriverConfig>({
          driver: ApolloDriver,
          autoSchemaFile: true,
          graphiql: false,
          ...(enhancers && { fieldResolverEnhancers: [...enhancers] }),
        }),
      ],
      providers: [Orders],
    });
    const event = await eventOf(`${at}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ orders { id lines } total }' }),
    });
    expect(event).toMatchObject({ status: 200, handler: 'Orders.orders' });
  });

  // Nest 11 runs no global interceptors at gateways.
  it('names the handler of the first message of a WebSocket with Nest 12', async () => {
    const at = await start({ providers: [Chat] }, (it) =>
      it.useWebSocketAdapter(new WsAdapter(it)),
    );
    const socket = new WebSocket(`ws://${at}/chat`);
    await once(socket, 'open');
    socket.send(JSON.stringify({ event: 'say' }));
    await once(socket, 'message');
    socket.close();
    expect((await loggedUntil(logged, REQUEST)).last()).toMatchObject({
      status: 101,
      ...withNest({ 11: {}, 12: { handler: 'Chat.say' } }),
    });
  });
});
