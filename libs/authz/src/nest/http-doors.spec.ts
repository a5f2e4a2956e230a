import { ProblemDetailsModule } from '@apix/calls/nest';
import { InfrastructureEndpoint } from '@apix/contracts';
import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  ForbiddenException,
  Get,
  HttpException,
  type INestApplication,
  Inject,
  Module,
  Next,
  Param,
  Post,
  Scope,
  Sse,
  type Type,
  UnauthorizedException,
  UseFilters,
  Version,
  VersioningType,
} from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { ServerResponse } from 'node:http';
import { of } from 'rxjs';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import type { Decision } from '../decide/decision.js';
import type { Subject } from '../subject/subject.js';
import { AuthzGuard } from './authz.guard.js';
import { AuthzModule } from './authz.module.js';
import {
  CurrentSubject,
  DefaultRequires,
  EnforceMethod,
  Public,
  Requires,
} from './authz.decorators.js';
import { SHOP, subjectFromHeader } from './shop.fixture.js';

const ADMIN = { roles: { anyOf: ['admin'] } };

@Controller('orders')
@DefaultRequires({ roles: { anyOf: ['staff'] } })
class OrdersController {
  @Get('default')
  byDefault() {
    return 'in';
  }

  @Post('own')
  @Requires(ADMIN)
  own() {
    return 'in';
  }

  @Get('empty')
  @Requires({})
  empty(@CurrentSubject() who: Subject) {
    return { who: who.id };
  }

  @Get('public')
  @Public()
  open(@CurrentSubject() who: Subject | null) {
    return { who };
  }

  @Get('method')
  @EnforceMethod('/test.Orders/Cancel')
  asMethod() {
    return 'in';
  }

  @Sse('events')
  @Requires(ADMIN)
  events() {
    return of({ data: 'secret' });
  }

  @Get('versioned')
  @Version('1')
  @Requires(ADMIN)
  first() {
    return 'one';
  }

  @Get('versioned')
  @Version('2')
  @Public()
  second() {
    return 'two';
  }
}

class Inherited {
  @Get('same')
  same() {
    return 'in';
  }
}

@Controller('staff')
@DefaultRequires({ roles: { anyOf: ['staff'] } })
class StaffController extends Inherited {}

@Controller('admins')
@DefaultRequires(ADMIN)
class AdminController extends Inherited {}

@Controller('anybody')
@Public()
class PublicController extends Inherited {
  @Get('not')
  @Requires(ADMIN)
  not() {
    return 'in';
  }
}

@Controller('bare')
class BareController {
  @Get('nothing')
  nothing() {
    return 'in';
  }

  @Get('health')
  @InfrastructureEndpoint()
  health() {
    return 'up';
  }
}

@Controller('metrics')
@InfrastructureEndpoint()
class MetricsController {
  @Get()
  all() {
    return 'up';
  }
}

@Controller({ path: 'scoped', scope: Scope.REQUEST })
@DefaultRequires(ADMIN)
class ScopedController {
  constructor(@Inject(REQUEST) readonly request: unknown) {}

  @Get(':id')
  one(@Param('id') id: string, @CurrentSubject() who: Subject) {
    return { id, who: who.id };
  }
}

class TeapotFilter implements ExceptionFilter<HttpException> {
  catch({ message, cause }: HttpException, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<ServerResponse & { raw?: ServerResponse }>();
    const raw = response.raw ?? response;
    raw.statusCode = 418;
    raw.end(`${message}: ${(cause as Error).name}`);
  }
}

@Catch(UnauthorizedException)
class UnauthorizedFilter extends TeapotFilter {}

@Catch(HttpException)
class HttpExceptionFilter extends TeapotFilter {}

@Controller('bound/unauthorized')
@DefaultRequires(ADMIN)
@UseFilters(UnauthorizedFilter)
class UnauthorizedController {
  @Get()
  get() {}
}

@Controller('bound/http')
@DefaultRequires(ADMIN)
class HttpExceptionController {
  @Get()
  @UseFilters(HttpExceptionFilter)
  get() {}
}

const CONTROLLERS = [
  OrdersController,
  StaffController,
  AdminController,
  PublicController,
  BareController,
  MetricsController,
  ScopedController,
];

/** [request, roles (null: nobody), status]. */
const TABLE: readonly (readonly [string, string | null, number])[] = [
  ['GET /orders/default', null, 401],
  ['GET /orders/default', 'admin', 403],
  ['GET /orders/default', 'staff', 200],
  ['GET /orders/default', 'broken', 401],
  ['HEAD /orders/default', null, 401],
  ['HEAD /orders/default', 'staff', 200],
  ['POST /orders/own', 'staff', 403],
  ['POST /orders/own', 'x,admin', 201],
  ['GET /orders/empty', null, 401],
  ['GET /orders/empty', 'x', 200],
  ['GET /orders/public', null, 200],
  ['GET /orders/public', 'broken', 200],
  ['GET /orders/method', null, 401],
  ['GET /orders/method', 'staff', 403],
  ['GET /orders/method', 'admin', 200],
  ['GET /orders/events', null, 401],
  ['GET /orders/events', 'staff', 403],
  ['GET /orders/events', 'admin', 200],
  ['GET /v1/orders/versioned', 'staff', 403],
  ['GET /v1/orders/versioned', 'admin', 200],
  ['GET /v2/orders/versioned', null, 200],
  ['GET /staff/same', 'admin', 403],
  ['GET /staff/same', 'staff', 200],
  ['GET /admins/same', 'staff', 403],
  ['GET /admins/same', 'admin', 200],
  ['GET /anybody/same', null, 200],
  ['GET /anybody/not', 'staff', 403],
  ['GET /bare/nothing', null, 200],
  ['GET /bare/health', null, 200],
  ['GET /metrics', null, 200],
  ['GET /scoped/7', null, 401],
  ['GET /scoped/7', 'staff', 403],
  ['GET /scoped/7', 'admin', 200],
];

const ADAPTERS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
  ['an adapter of another type', () => new NodeAdapter()],
] as const;

let app: INestApplication;
afterEach(() => app.close());

describe.each(ADAPTERS)('over HTTP on %s', (_, adapter) => {
  async function start(
    options: Partial<AuthorizerOptions> = {},
    controllers: readonly Type[] = CONTROLLERS,
    configure: (app: INestApplication) => void = () => {},
    imports: readonly Type[] = [],
  ) {
    @Module({
      imports: [
        ProtoModule.forRoot({ descriptors: SHOP }),
        AuthzModule.forRoot({ subject: subjectFromHeader, ...options }),
        ...imports,
      ],
      controllers: [...controllers],
    })
    class App {}
    const logged: string[] = [];
    const note = (line: unknown): void => void logged.push(String(line));
    const logger = { log: note, error: note, warn: note };
    app = await NestFactory.create(App, adapter(), { logger, abortOnError: false });
    app.enableVersioning({ type: VersioningType.URI });
    configure(app);
    await app.listen(0, '127.0.0.1');
    const base = await app.getUrl();
    const send = (request: string, roles: string | null) => {
      const [method, path] = request.split(' ') as [string, string];
      const headers: Record<string, string> = roles === null ? {} : { 'x-roles': roles };
      return fetch(base + path, { method, headers });
    };
    return { send, logged };
  }

  it('every handler is decided as its decorators say', async () => {
    const { send } = await start();
    const got = [];
    for (const [request, roles] of TABLE) {
      const response = await send(request, roles);
      await response.text();
      got.push([request, roles, response.status]);
    }
    expect(got).toEqual(TABLE);
  });

  it('a refusal has the form of Nest, and names neither roles nor permissions', async () => {
    const { send } = await start();
    const response = await send('POST /orders/own', 'staff');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual(
      new ForbiddenException('permission denied').getResponse(),
    );
    const anonymous = await send('POST /orders/own', null);
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer');
    expect(await anonymous.json()).toEqual(
      new UnauthorizedException('credentials are missing').getResponse(),
    );
  });

  it('a refusal is a problem document where the app asks for them', async () => {
    const { send } = await start({}, CONTROLLERS, () => {}, [ProblemDetailsModule]);
    const response = await send('POST /orders/own', 'staff');
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: 'permission denied',
      code: 'PERMISSION_DENIED',
    });
  });

  it('a refusal is understood by the filters of the app, wherever they are bound', async () => {
    const bound = [UnauthorizedController, HttpExceptionController];
    const { send } = await start({}, bound);
    for (const path of ['unauthorized', 'http']) {
      const response = await send(`GET /bound/${path}`, null);
      expect([response.status, await response.text()]).toEqual([
        418,
        'credentials are missing: StatusError',
      ]);
    }
  });

  it('@CurrentSubject() is who calls, null where nobody asks', async () => {
    const { send } = await start();
    expect(await (await send('GET /orders/empty', 'ada')).json()).toEqual({ who: 'ada' });
    expect(await (await send('GET /orders/public', 'ada')).json()).toEqual({ who: null });
    expect(await (await send('GET /scoped/7', 'admin')).json()).toEqual({ id: '7', who: 'admin' });
  });

  it("`unannotated: 'deny'` refuses handlers without a policy, and lists who is exempt", async () => {
    const { send, logged } = await start({ unannotated: 'deny' });
    const paths = ['/bare/nothing', '/bare/health', '/metrics', '/anybody/same', '/staff/same'];
    const got = [];
    for (const path of paths) got.push((await send(`GET ${path}`, 'staff')).status);
    expect(got).toEqual([403, 200, 200, 200, 200]);
    const line = logged.find((text) => text.startsWith('methods and handlers that need no policy'));
    expect(line).toContain('BareController.health, MetricsController.all');
    expect(line).not.toContain('nothing');
  });

  it('shadow mode lets every call through and reports what it would have done', async () => {
    const seen: Decision[] = [];
    const onDecision = (decision: Decision): void => void seen.push(decision);
    const { send } = await start({ mode: 'shadow', onDecision });
    expect((await send('POST /orders/own', null)).status).toBe(201);
    expect((await send('GET /orders/default', 'broken')).status).toBe(200);
    expect(seen).toMatchObject([
      { allowed: false, reason: 'anonymous', shadow: true, door: 'http' },
      { allowed: false, reason: 'subject_error', shadow: true },
    ]);
  });

  it('a guard that is bound a second time decides nothing twice', async () => {
    const seen: Decision[] = [];
    const onDecision = (decision: Decision): void => void seen.push(decision);
    const { send } = await start({ onDecision }, CONTROLLERS, (nest) =>
      nest.useGlobalGuards(nest.get(AuthzGuard)),
    );
    expect((await send('GET /orders/empty', 'ada')).status).toBe(200);
    expect(seen).toHaveLength(1);
  });
});

it('a request that passes on to another handler meets that one’s policy too', async () => {
  @Controller('chain')
  class ChainController {
    @Get('secret')
    @Public()
    first(@Next() next: () => void) {
      next();
    }

    @Get(':name')
    @Requires(ADMIN)
    second() {
      return 'secret';
    }
  }
  @Module({
    imports: [AuthzModule.forRoot({ subject: subjectFromHeader })],
    controllers: [ChainController],
  })
  class App {}
  app = await NestFactory.create(App, new ExpressAdapter(), { logger: false });
  await app.listen(0, '127.0.0.1');
  const url = `${await app.getUrl()}/chain/secret`;
  expect((await fetch(url)).status).toBe(401);
  expect((await fetch(url, { headers: { 'x-roles': 'admin' } })).status).toBe(200);
});
