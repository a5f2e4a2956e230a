import {
  type ArgumentsHost,
  BadRequestException,
  Body,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  ForbiddenException,
  Get,
  HttpException,
  Injectable,
  type MiddlewareConsumer,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Redirect,
  Res,
  Scope,
  Sse,
  StreamableFile,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import { EventPattern, MessagePattern, Payload, RpcException } from '@nestjs/microservices';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type Observable, concat, of, throwError } from 'rxjs';
import { withErrorCode } from '../../../tools/testing/error-code.js';

/** An error of the app's own, which one of its filters knows. */
export class OrderClosedError extends Error {}

const loop: Record<string, unknown> = {};
loop['loop'] = loop;

/** What code of the app throws, by the last part of the path. */
export const ERRORS: Readonly<Record<string, () => unknown>> = {
  listed: () => new BadRequestException(['name is missing', 'age is missing']),
  members: () => new HttpException({ errorCode: 'E42', hint: { retry: false } }, 422),
  array: () => new HttpException(['a', 'b'], 400),
  code: () => new NotFoundException('no order', withErrorCode('ORDER')),
  text: () => new HttpException('short and stout', 418),
  empty: () => new HttpException('', 400),
  'no-body': () => new HttpException(null as unknown as string, 404),
  loop: () => new HttpException(loop, 409),
  success: () => new HttpException({ cached: true }, 203),
  forbidden: () => new ForbiddenException(),
  unauthorized: () => new UnauthorizedException('log in'),
  rpc: () => new RpcException({ code: 10, message: 'again' }),
  closed: () => new OrderClosedError('the order is closed'),
  plain: () => new Error('password is hunter2'),
  'not-found': () => Object.assign(new Error('no file'), { statusCode: 404, status: 404 }),
  exposed: () => Object.assign(new Error('gone'), { statusCode: 410, status: 410, expose: true }),
  hidden: () => Object.assign(new Error('db1'), { statusCode: 503, status: 503, expose: false }),
  'like-http': () => ({ statusCode: 409, message: 'taken' }),
  string: () => 'password is hunter2',
  nothing: () => undefined,
  null: () => null,
};

function raise(which: string): never {
  throw ERRORS[which]?.() ?? new Error(which);
}

type Raw = ServerResponse & { readonly raw?: ServerResponse };

interface Reply extends Raw {
  status(code: number): { send(body: unknown): void };
}

function send(host: ArgumentsHost, code: number, body: unknown): void {
  const response = host.switchToHttp().getResponse<Reply>();
  const raw = response.raw ?? response;
  if (raw.headersSent) raw.end();
  else response.status(code).send(body);
}

function sendAny(host: ArgumentsHost, error: unknown): void {
  const code = error instanceof HttpException ? error.getStatus() : 500;
  send(host, code, { mine: String(error), code });
}

@Catch()
export class EverythingFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    sendAny(host, error);
  }
}

@Catch(HttpException)
export class HttpFilter implements ExceptionFilter<HttpException> {
  catch(error: HttpException, host: ArgumentsHost): void {
    send(host, error.getStatus(), { http: error.message });
  }
}

@Catch(UnauthorizedException)
export class LoginFilter implements ExceptionFilter<UnauthorizedException> {
  catch(error: UnauthorizedException, host: ArgumentsHost): void {
    send(host, 401, { login: error.message });
  }
}

@Catch(OrderClosedError)
export class ClosedFilter implements ExceptionFilter<OrderClosedError> {
  catch(error: OrderClosedError, host: ArgumentsHost): void {
    send(host, 409, { closed: error.message });
  }
}

/** Answers after a while. */
@Catch()
export class LateFilter implements ExceptionFilter {
  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    await Promise.resolve();
    sendAny(host, thrown);
  }
}

/** Says something else of it. */
@Catch(OrderClosedError)
export class RethrowingFilter implements ExceptionFilter {
  catch(): never {
    throw new BadRequestException('rethrown');
  }
}

/** Written for messages. */
@Catch(RpcException)
export class MessageFilter implements ExceptionFilter<RpcException> {
  catch(error: RpcException): Observable<never> {
    return throwError(() => ({ rpc: error.getError() }));
  }
}

/** Written for messages, of whatever error. */
@Catch()
export class MessagesFilter implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => ({ caught: String(error) }));
  }
}

/** As the documentation of Nest has it. */
@Catch()
export class ExtendingFilter extends BaseExceptionFilter {
  constructor(host: HttpAdapterHost) {
    super(host.httpAdapter);
  }
}

@Injectable({ scope: Scope.REQUEST })
@Catch()
export class RequestFilter extends EverythingFilter {}

@Injectable()
class Raising implements CanActivate {
  canActivate(): boolean {
    raise('forbidden');
  }
}

@Controller('throw')
export class ThrowingController {
  @Get('guard')
  @UseGuards(Raising)
  guard(): void {}

  @Get('refused')
  @UseGuards({ canActivate: () => false })
  refused(): void {}

  @Get('pipe/:id')
  pipe(@Param('id', ParseIntPipe) _id: number): void {}

  @Get('own-pipe/:id')
  @UsePipes({ transform: () => raise('listed') })
  ownPipe(@Param('id') _id: string): void {}

  @Get('before/:which')
  @UseInterceptors({ intercept: () => raise('members') })
  before(): void {}

  @Get('after')
  @UseInterceptors({ intercept: () => throwError(() => ERRORS['members']!()) })
  after(): void {}

  @Get('mapped/:which')
  @UseFilters(ClosedFilter)
  mapped(@Param('which') which: string): never {
    raise(which);
  }

  @Get('rethrown/:which')
  @UseFilters(RethrowingFilter)
  rethrown(@Param('which') which: string): never {
    raise(which);
  }

  @Get('message/:which')
  @UseFilters(MessageFilter)
  message(@Param('which') which: string): never {
    raise(which);
  }

  @Get('begun')
  begun(@Res() response: Raw): never {
    const raw = response.raw ?? response;
    raw.writeHead(200, { 'content-type': 'text/plain' });
    raw.write('begun');
    raise('plain');
  }

  @Get('ended')
  ended(@Res() response: Raw): never {
    const raw = response.raw ?? response;
    raw.writeHead(202);
    raw.end('ended');
    raise('members');
  }

  @Get('header')
  header(@Res({ passthrough: true }) response: Raw): never {
    (response.raw ?? response).setHeader('x-mine', 'kept');
    raise('forbidden');
  }

  @Sse('sse')
  sse(): Observable<{ data: string }> {
    return concat(
      of({ data: 'one' }),
      throwError(() => ERRORS['plain']!()),
    );
  }

  @Sse('no-sse')
  noSse(): Observable<{ data: string }> {
    return throwError(() => ERRORS['members']!());
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(
      Readable.from(
        (function* () {
          yield Buffer.from('first');
          raise('plain');
        })(),
      ),
    );
  }

  @Get('no-file')
  noFile(): StreamableFile {
    return new StreamableFile(
      new Readable({
        read() {
          this.destroy(new Error('disk full'));
        },
      }),
    );
  }

  @Get('redirect')
  @Redirect('/elsewhere')
  redirect(): never {
    raise('listed');
  }

  @Post('body')
  body(@Body() body: unknown): unknown {
    return body;
  }

  @Get('late/:which')
  async late(@Param('which') which: string): Promise<never> {
    await Promise.resolve();
    raise(which);
  }

  @Get('any/:which')
  any(@Param('which') which: string, @Query() _query: unknown): never {
    raise(which);
  }

  @MessagePattern('any')
  anyMessage(@Payload() which: string): never {
    raise(which);
  }

  @EventPattern('event')
  anyEvent(@Payload() which: string): void {
    raise(which);
  }
}

@Controller({ path: 'scoped', scope: Scope.REQUEST })
export class ScopedController {
  @Get(':which')
  any(@Param('which') which: string): never {
    raise(which);
  }
}

/** Throws in middleware for some paths. */
export function throwInMiddleware(consumer: MiddlewareConsumer): void {
  consumer
    .apply((request: IncomingMessage, _response: unknown, next: (error?: unknown) => void) => {
      const url = (request as { originalUrl?: string }).originalUrl ?? request.url ?? '';
      if (url.includes('thrown')) raise('members');
      if (url.includes('passed')) return next(ERRORS['forbidden']!());
      next();
    })
    .forRoutes('throw/middleware/*path');
}

const CODES = Object.keys(ERRORS);

/** What is asked, as the first line of a request and its body. */
export const REQUESTS: readonly (readonly [string, string?])[] = [
  ...CODES.map((code): [string] => [`GET /throw/any/${code}`]),
  ...CODES.map((code): [string] => [`GET /scoped/${code}`]),
  ...['late', 'mapped', 'rethrown', 'message'].flatMap((path) =>
    ['closed', 'rpc', 'plain', 'listed'].map((code): [string] => [`GET /throw/${path}/${code}`]),
  ),
  ['GET /throw/guard'],
  ['GET /throw/refused'],
  ['GET /throw/pipe/x'],
  ['GET /throw/own-pipe/x'],
  ['GET /throw/before/x'],
  ['GET /throw/after'],
  ['GET /throw/begun'],
  ['GET /throw/ended'],
  ['GET /throw/header'],
  ['GET /throw/sse'],
  ['GET /throw/no-sse'],
  ['GET /throw/file'],
  ['GET /throw/no-file'],
  ['GET /throw/redirect'],
  ['GET /throw/middleware/thrown'],
  ['GET /throw/middleware/passed'],
  ['GET /nothing/here'],
  ['DELETE /throw/guard'],
  ['HEAD /throw/any/listed'],
  ['GET /%E0%A4%A'],
  ['GET /throw/any/%E0%A4%A'],
  ['POST /throw/body', '{"a":'],
  ['POST /throw/body', JSON.stringify('x'.repeat(1_200_000))],
];
