import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import { FAILURE_OBSERVER, type Failure, type FailureObserver } from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { type Observable, of, throwError } from 'rxjs';
import { type Answer, answerOf, httpAnswerOf } from './answer.js';
import { AppFilters, askFirst } from './app-filters.js';
import { grpcArguments, type GrpcArguments } from './grpc-arguments.js';
import { answerHttp, type HttpExchange, httpExchange, isLeft } from './http-answer.js';
import { httpExceptionOf } from './http-exception-of.js';
import { type GrpcError, grpcError } from './grpc-error.js';

const NO_FILTERS = new AppFilters([]);

/**
 * Sees every failure of a handler, calls the observers, and leaves the answer to the app: its own global
 * filters first, then the form of Nest. Only a `StatusError` is answered here: a gRPC caller gets its
 * status, an HTTP caller its HTTP status in Nest's body, a message `{ status: 'error', code, message }`. A
 * gRPC caller gets a status for every error that no filter of the app answers.
 */
@Catch()
export class ApixExceptionFilter implements ExceptionFilter {
  private observers: readonly FailureObserver[] | undefined;
  private problems = false;

  constructor(
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ApplicationConfig) config: ApplicationConfig,
  ) {
    askFirst(config, (error, host, own) => this.answer(error, host, own));
  }

  /** From now on, HTTP callers get problem documents where Nest would answer. */
  writeProblems(): void {
    this.problems = true;
  }

  /** For an app that binds it itself: without filters of the app. */
  catch(exception: unknown, host: ArgumentsHost): unknown {
    return this.answer(exception, host, NO_FILTERS);
  }

  private answer(exception: unknown, host: ArgumentsHost, filters: AppFilters): unknown {
    const type = host.getType<string>();
    if (type === 'rpc') return this.catchRpc(exception, host, filters);
    // Nest says "http" of what other libraries call through its ExternalContextCreator, too.
    const exchange = type === 'http' ? httpExchange(host) : undefined;
    if (exchange !== undefined) return this.catchHttp(exception, host, exchange, filters);
    // If nothing is returned, Nest continues as without this filter.
    return filters.choose(exception)?.answer(host);
  }

  private catchHttp(
    exception: unknown,
    host: ArgumentsHost,
    exchange: HttpExchange,
    filters: AppFilters,
  ): unknown {
    const answer = httpAnswerOf(exception, exchange.rawRequest);
    const thrown = answer.ours ?? exception;
    // The error of one of our guards is an HttpException already.
    const shown = thrown === exception && answer.ours ? httpExceptionOf(answer.error) : exception;
    const own = filters.choose(thrown, shown);
    const isLogged = this.report(thrown, answer, 'http', own !== undefined, exchange.rawRequest);
    const answerIt = (): void =>
      answerHttp({
        adapter: this.adapterHost.httpAdapter,
        exchange,
        answer,
        shown,
        host,
        isLogged,
        problems: this.problems,
      });
    if (own === undefined) return answerIt();
    const said = own.answer(host);
    const finish = (returned: unknown): void => {
      if (isLeft(returned, exchange)) answerIt();
    };
    return said instanceof Promise ? said.then(finish) : finish(said);
  }

  private catchRpc(exception: unknown, host: ArgumentsHost, filters: AppFilters): unknown {
    const grpc = grpcArguments(host.getArgs());
    const answer = answerOf(exception, 'rpc');
    // The result of a filter for a stream call is not read, so that the call would never end.
    const own =
      grpc?.end === undefined
        ? filters.answerMessage(exception, answer.ours !== undefined, host)
        : undefined;
    const handled = own !== undefined;
    const isLogged = this.report(
      answer.ours ?? exception,
      answer,
      'rpc',
      handled,
      grpc?.call.metadata,
    );
    return handled ? own : answerMessage(answer, grpc, exception, isLogged);
  }

  /** @returns whether an observer writes the failure to a log. */
  private report(
    error: unknown,
    { error: { code }, status, expected }: Answer,
    door: Failure['door'],
    handled: boolean,
    carrier?: object,
  ): boolean {
    this.observers ??= discoverMarked<FailureObserver>(this.discovery, FAILURE_OBSERVER);
    const failure: Failure = { error, door, code, status, expected, handled, carrier };
    let isLogged = false;
    for (const observer of this.observers) {
      try {
        if (observer.onFailure(failure) === true) isLogged = true;
      } catch {
        // An observer must not change what the caller gets.
      }
    }
    return isLogged;
  }
}

/**
 * Answers an error in a gRPC call or a message that no filter of the app has answered. Undefined:
 * Nest is to answer it, and to write it to its log.
 */
export function answerMessage(
  { error, ours, expected, status }: Answer,
  grpc: GrpcArguments | undefined,
  exception: unknown,
  isLogged: boolean,
): Observable<unknown> | undefined {
  if (grpc !== undefined) return endGrpc(grpc, grpcError(error, grpc.call.metadata, status));
  if (ours !== undefined) {
    return throwError(() => ({ status: 'error', code: error.status, message: error.message }));
  }
  if (expected || (!isLogged && isReadable(exception))) return undefined;
  return throwError(() => ({ status: 'error', message: 'Internal server error' }));
}

/** Nest asks of what class an error is, which throws where it is a revoked proxy. */
function isReadable(exception: unknown): boolean {
  try {
    Reflect.getPrototypeOf(Object(exception) as object);
    return true;
  } catch {
    return false;
  }
}

function endGrpc({ end }: GrpcArguments, status: GrpcError): Observable<unknown> {
  if (end === undefined) return throwError(() => status);
  end(status);
  // Nest awaits a value of whatever a stream call returns.
  return of(undefined);
}
