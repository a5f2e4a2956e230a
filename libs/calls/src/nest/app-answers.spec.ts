import 'reflect-metadata';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  type ArgumentsHost,
  BadRequestException,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpException,
  type INestApplication,
  Injectable,
  Logger,
  Module,
  type ModuleMetadata,
  NotFoundException,
  Param,
  PayloadTooLargeException,
  Scope,
  UnauthorizedException,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter, type AbstractHttpAdapter } from '@nestjs/core';
import { RpcException } from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import {
  Code,
  FAILURE_OBSERVER,
  type Failure,
  type FailureObserver,
  StatusError,
} from '@apix/contracts';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import { ExceptionsModule } from './exceptions.module.js';
import { ProblemDetailsModule } from './problem-details.module.js';
import { withErrorCode } from '../../../../tools/testing/error-code.js';

class OrderClosedError extends Error {}

const ERRORS: Readonly<Record<string, unknown>> = {
  listed: new BadRequestException(['name is missing', 'age is missing']),
  'own-members': new HttpException({ errorCode: 'E42', hint: { retry: false } }, 422),
  'text-only': new HttpException('short and stout', 418),
  'nest-code': new NotFoundException('no order', withErrorCode('ORDER')),
  unauthorized: new UnauthorizedException(),
  large: new PayloadTooLargeException(),
  rpc: new RpcException({ code: Code.ABORTED, message: 'again' }),
  plain: new Error('password is hunter2'),
  own: new OrderClosedError('the order is closed'),
  text: 'password is hunter2',
  nothing: undefined,
  'like-http': Object.assign(new Error('no file'), { statusCode: 404, status: 404, expose: false }),
};

const status = new StatusError(Code.PERMISSION_DENIED, 'not yours', { cause: new Error('secret') });

@Injectable()
class Refuses implements CanActivate {
  canActivate(): boolean {
    throw status;
  }
}

@Catch(OrderClosedError)
class ClosedFilter implements ExceptionFilter {
  catch(error: OrderClosedError, host: ArgumentsHost): void {
    send(host, 409, { closed: error.message });
  }
}

@Controller('throw')
class ThrowingController {
  @Get('status')
  status(): never {
    throw status;
  }

  @Get('guarded')
  @UseGuards(Refuses)
  guarded(): string {
    return 'never';
  }

  @Get('unauthenticated')
  unauthenticated(): never {
    throw new StatusError(Code.UNAUTHENTICATED, 'who are you?');
  }

  @Get('close/:which')
  @UseFilters(ClosedFilter)
  close(@Param('which') which: string): never {
    throw ERRORS[which];
  }

  @Get(':which')
  any(@Param('which') which: string): never {
    throw ERRORS[which];
  }
}

const PATHS = [...Object.keys(ERRORS), 'close/own', 'close/plain', 'missing/route'];

interface Reply {
  status(code: number): { send(body: unknown): void };
}

function send(host: ArgumentsHost, code: number, body: unknown): void {
  host.switchToHttp().getResponse<Reply>().status(code).send(body);
}

@Catch()
class EverythingFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const code = error instanceof HttpException ? error.getStatus() : 500;
    send(host, code, { mine: String(error), code });
  }
}

@Catch(HttpException)
class HttpFilter implements ExceptionFilter<HttpException> {
  catch(error: HttpException, host: ArgumentsHost): void {
    send(host, error.getStatus(), { http: error.getResponse() });
  }
}

@Catch(StatusError)
class StatusFilter implements ExceptionFilter<StatusError> {
  catch(error: StatusError, host: ArgumentsHost): void {
    send(host, 499, { status: error.status });
  }
}

@Catch()
@Injectable({ scope: Scope.REQUEST })
class RequestFilter extends EverythingFilter {}

@Catch(Error)
class ExtendingFilter extends BaseExceptionFilter {}

interface Filters {
  /** Bound as APP_FILTER in the root module. */
  readonly provided?: readonly (new (...args: never[]) => ExceptionFilter)[];
  /** Bound with `useGlobalFilters`. */
  readonly used?: readonly ExceptionFilter[];
}

const OWN: readonly [string, Filters][] = [
  ['no filter', {}],
  ['an APP_FILTER for everything', { provided: [EverythingFilter] }],
  ['an APP_FILTER for HttpExceptions', { provided: [HttpFilter] }],
  ['two filters by APP_FILTER', { provided: [EverythingFilter, ClosedFilter] }],
  ['the same two the other way round', { provided: [ClosedFilter, EverythingFilter] }],
  ['a filter by useGlobalFilters', { used: [new EverythingFilter()] }],
  ['filters by both', { provided: [EverythingFilter], used: [new HttpFilter()] }],
  ['an APP_FILTER that extends that of Nest', { provided: [ExtendingFilter] }],
  ['a request-scoped APP_FILTER', { provided: [RequestFilter] }],
];

@Injectable()
class Watcher implements FailureObserver {
  readonly [FAILURE_OBSERVER] = true as const;
  readonly failures: Failure[] = [];

  constructor(readonly logs = false) {}

  onFailure(failure: Failure): true | void {
    this.failures.push(failure);
    if (this.logs) return true;
  }
}

const apps: INestApplication[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

type Imports = NonNullable<ModuleMetadata['imports']>;

async function serve(
  adapter: () => AbstractHttpAdapter,
  { provided = [], used = [] }: Filters,
  imports: Imports,
  logs = false,
): Promise<{ url: string; failures: Failure[] }> {
  const watcher = new Watcher(logs);
  @Module({
    imports,
    controllers: [ThrowingController],
    providers: [
      { provide: Watcher, useValue: watcher },
      ...provided.map((useClass) => ({ provide: APP_FILTER, useClass })),
    ],
  })
  class AppModule {}
  const testing = await Test.createTestingModule({ imports: [AppModule] }).compile();
  const app = testing.createNestApplication(adapter(), { logger: false });
  apps.push(app);
  app.useGlobalFilters(...used);
  await app.listen(0, '127.0.0.1');
  return { url: await app.getUrl(), failures: watcher.failures };
}

/** All of an answer but for the date. */
async function ask(url: string, path: string): Promise<object> {
  const answer = await fetch(`${url}/throw/${path}`);
  const headers = Object.fromEntries(answer.headers);
  delete headers['date'];
  return { status: answer.status, headers, body: await answer.text() };
}

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
  ['an adapter of another type', () => new NodeAdapter()],
] as const)('an app on %s', (_, adapter: () => AbstractHttpAdapter) => {
  it.each(OWN)('with %s answers as it did before', async (__, filters) => {
    const before = await serve(adapter, filters, []);
    const after = await serve(adapter, filters, [ExceptionsModule]);
    for (const path of PATHS) {
      expect([path, await ask(after.url, path)]).toEqual([path, await ask(before.url, path)]);
    }
    const scoped = filters.provided?.includes(RequestFilter) === true;
    // Filters at the handler and those of a request come first, which a missing route has not.
    const seen = scoped ? 1 : PATHS.length - 1;
    expect(after.failures.filter(({ door }) => door === 'http')).toHaveLength(seen);
  });

  it.each(['status', 'guarded'])(
    'answers to a StatusError (%s) in the form of Nest',
    async (path) => {
      const { url } = await serve(adapter, {}, [ExceptionsModule]);
      const answer = await fetch(`${url}/throw/${path}`);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect([answer.status, await answer.json()]).toEqual([
        403,
        { message: 'not yours', error: 'Forbidden', statusCode: 403 },
      ]);
    },
  );

  it('says with a 401 of ours how to authenticate, and nothing with one of its own', async () => {
    const { url } = await serve(adapter, {}, [ExceptionsModule]);
    const ours = await fetch(`${url}/throw/unauthenticated`);
    expect([ours.status, ours.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const own = await fetch(`${url}/throw/unauthorized`);
    expect([own.status, own.headers.get('www-authenticate')]).toEqual([401, null]);
  });

  it.each([
    [
      'everything',
      EverythingFilter,
      403,
      { mine: expect.stringContaining('not yours'), code: 403 },
    ],
    ['HttpExceptions', HttpFilter, 403, { http: { statusCode: 403, message: 'not yours' } }],
    ['StatusErrors', StatusFilter, 499, { status: 'PERMISSION_DENIED' }],
  ])(
    'shows its filter for %s a StatusError that it understands',
    async (__, filter, code, body) => {
      const { url, failures } = await serve(adapter, { provided: [filter] }, [ExceptionsModule]);
      const answer = await fetch(`${url}/throw/status`);
      expect([answer.status, await answer.json()]).toMatchObject([code, body]);
      expect(failures).toMatchObject([
        { error: status, code: Code.PERMISSION_DENIED, status: 403 },
      ]);
    },
  );

  it.each([
    ['is written by Nest where no observer writes a log', false, 1],
    ['is not written a second time by Nest', true, 0],
  ])('has a failure that %s', async (__, logs, times) => {
    const written = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    try {
      const { url } = await serve(adapter, {}, [ExceptionsModule], logs);
      const answer = await fetch(`${url}/throw/plain`);
      expect(await answer.json()).toEqual({ statusCode: 500, message: 'Internal server error' });
      expect(written).toHaveBeenCalledTimes(times);
    } finally {
      written.mockRestore();
    }
  });

  describe('with problem documents', () => {
    it.each([
      ['listed', 400, { message: ['name is missing', 'age is missing'], title: 'Bad Request' }],
      ['own-members', 422, { errorCode: 'E42', hint: { retry: false }, status: 422 }],
      ['text-only', 418, { detail: 'short and stout' }],
      ['nest-code', 404, { detail: 'no order', code: 'NOT_FOUND' }],
    ])('keeps the members of an exception (%s)', async (path, code, members) => {
      const { url } = await serve(adapter, {}, [ProblemDetailsModule]);
      const answer = await fetch(`${url}/throw/${path}`);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      const body = (await answer.json()) as object;
      expect([answer.status, body]).toMatchObject([code, members]);
      expect(body).not.toHaveProperty('statusCode');
    });

    it('answers with the same as JSON for callers who refuse problem documents', async () => {
      const { url } = await serve(adapter, {}, [ProblemDetailsModule]);
      const headers = { accept: 'application/problem+json;q=0' };
      const answer = await fetch(`${url}/throw/listed`, { headers });
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await answer.json()).toHaveProperty('title');
    });

    it.each(OWN.slice(1, 3))('still asks %s first', async (__, filters) => {
      const before = await serve(adapter, filters, []);
      const after = await serve(adapter, filters, [ProblemDetailsModule]);
      expect(await ask(after.url, 'listed')).toEqual(await ask(before.url, 'listed'));
    });
  });
});
