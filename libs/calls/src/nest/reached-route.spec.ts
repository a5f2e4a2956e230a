import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { InfrastructureEndpoint } from '@apix/contracts';
import { type ReachedHandler, reachedHandler } from '@apix/contracts/internal';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  type INestApplication,
  Inject,
  Module,
  type OnApplicationShutdown,
  Scope,
  UseGuards,
  VERSION_NEUTRAL,
  Version,
  VersioningType,
} from '@nestjs/common';
import {
  APP_GUARD,
  APP_INTERCEPTOR,
  ApplicationConfig,
  HttpAdapterHost,
  ModulesContainer,
  NestFactory,
} from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import { enterApp } from './enter-app.js';
import { noteReached, noteRoutes } from './reached-route.js';

const deny = { canActivate: () => false };

abstract class Listed {
  @Get('list')
  list() {
    return [];
  }
}

@Controller('orders')
class Orders extends Listed {
  @Get([':id', 'by-number/:number'])
  find() {
    return {};
  }

  @Get(':id/lines')
  @UseGuards(deny)
  lines() {}
}

@Controller('customers')
class Customers extends Listed {}

@Controller({ path: 'scoped', scope: Scope.REQUEST })
class Scoped {
  @Get(':id')
  find() {
    return {};
  }
}

@Controller({ path: 'prices', version: VERSION_NEUTRAL })
class Prices {
  @Get()
  @Version('1')
  first() {
    return 1;
  }

  @Get()
  @Version('2')
  second() {
    return 2;
  }
}

@Controller({ path: 'tenant', host: 'tenant.example' })
class Tenant {
  @Get()
  find() {
    return {};
  }
}

@InfrastructureEndpoint()
@Controller('status')
class Status {
  @Get()
  status() {
    return 'ok';
  }
}

const NOT_FOUND = 404;
let seen: ReachedHandler | undefined;

class Notes implements OnApplicationShutdown {
  readonly #undo: () => void;

  constructor(
    @Inject(ApplicationConfig) config: ApplicationConfig,
    @Inject(ModulesContainer) modules: ModulesContainer,
    @Inject(HttpAdapterHost) adapterHost: HttpAdapterHost,
  ) {
    const look = (req: IncomingMessage): void => {
      const { route, handler, isInfrastructure } = reachedHandler(req) ?? {};
      seen = { route, handler, isInfrastructure };
    };
    noteRoutes({ config, modules, adapterHost });
    noteRoutes({ config, modules, adapterHost });
    this.#undo = enterApp(adapterHost, {
      place: 'log',
      request(req, res, run) {
        res.once('finish', () => look(req));
        run();
      },
    });
  }

  onApplicationShutdown(): void {
    this.#undo();
  }
}

const noting = {
  intercept(context: ExecutionContext, next: CallHandler) {
    noteReached(context);
    return next.handle();
  },
};

@Module({
  controllers: [Orders, Customers, Scoped, Prices, Tenant, Status],
  providers: [Notes],
})
class Silent {}

@Module({ imports: [Silent], providers: [{ provide: APP_INTERCEPTOR, useValue: noting }] })
class App {}

@Module({ imports: [App], providers: [{ provide: APP_GUARD, useValue: deny }] })
class DenyingApp {}

let app: INestApplication;

afterEach(() => app.close());

const PLATFORMS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
  ['an adapter of another type', () => new NodeAdapter()],
] as const;

describe.each(PLATFORMS)('a request on %s', (_, adapter) => {
  async function reached(
    module: object,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<[number, ReachedHandler | undefined]> {
    app = await NestFactory.create(module as never, adapter(), { logger: false });
    app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Version' });
    await app.listen(0, '127.0.0.1');
    seen = undefined;
    const { status } = await fetch(`${await app.getUrl()}${path}`, { headers });
    return [status, seen];
  }

  it.each([
    ['/orders/7', '/orders/:id', 'Orders.find'],
    ['/orders/by-number/7', '/orders/by-number/:number', 'Orders.find'],
    ['/orders/7/lines', '/orders/:id/lines', 'Orders.lines'],
    ['/customers/list', '/customers/list', 'Customers.list'],
    ['/scoped/7', '/scoped/:id', 'Scoped.find'],
  ])('to %s has its route and its handler', async (path, route, handler) => {
    const [, found] = await reached(App, path);
    expect(found).toEqual({ route, handler, isInfrastructure: false });
  });

  it.each([
    ['1', 'Prices.first'],
    ['2', 'Prices.second'],
  ])('for version %s has the handler of that', async (version, handler) => {
    const [status, found] = await reached(App, '/prices', { 'X-Version': version });
    expect([status, found?.handler]).toEqual([200, handler]);
  });

  it('that a guard of the app denies has its route and its handler', async () => {
    const [status, found] = await reached(DenyingApp, '/orders/7');
    expect(status).toBe(403);
    expect(found).toMatchObject({ route: '/orders/:id', handler: 'Orders.find' });
  });

  it('to an infrastructure endpoint is marked', async () => {
    const [, found] = await reached(App, '/status');
    expect(found).toEqual({ route: '/status', handler: 'Status.status', isInfrastructure: true });
  });

  it.each(['/nowhere', '/tenant'])('to %s that no handler answers has none', async (path) => {
    const [status, found] = await reached(App, path);
    expect([status, found?.route, found?.handler]).toEqual([NOT_FOUND, undefined, undefined]);
  });

  it('has its route and its handler without an interceptor, unless several have the path', async () => {
    const [, found] = await reached(Silent, '/orders/7/lines');
    expect(found).toMatchObject({ route: '/orders/:id/lines', handler: 'Orders.lines' });
    expect(await reached(Silent, '/prices', { 'X-Version': '2' })).toEqual([
      200,
      { route: '/prices', handler: undefined, isInfrastructure: false },
    ]);
  });

  it('with a version that does not exist is not found', async () => {
    const [status, found] = await reached(App, '/prices', { 'X-Version': '3' });
    expect([status, found?.route, found?.handler]).toEqual([NOT_FOUND, undefined, undefined]);
  });

  it('passes no guard of ours', async () => {
    await reached(App, '/orders/7');
    expect(app.get(ApplicationConfig).getGlobalGuards()).toEqual([]);
  });
});
