import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { ServerResponse } from 'node:http';
import { isObservable, type Observable, of, throwError } from 'rxjs';
import { PROBLEM_MEDIA_TYPE } from '../status/problem.js';
import {
  FAILURE_OBSERVER,
  type Failure,
  type FailureObserver,
  type StatusError,
} from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { type Answer, answerOf } from './answer.js';
import { AppFilters } from './app-filters.js';
import { type GrpcArguments, grpcArguments } from './grpc-arguments.js';
import { grpcError } from './grpc-error.js';
import { answerHttpAsNest, answerMessageAsNest } from './nest-answer.js';
import { problemAnswer } from './problem-answer.js';
import { StatusHttpException } from './status-http-exception.js';

/** What Fastify passes on has Node's object inside. */
type Wrapped<T> = T & { readonly raw?: T };

/**
 * Sees every failure of a handler, tells the observers, and leaves the answer to the app: its own
 * global filters first, then the form that Nest has. What is ours is a `StatusError`: a gRPC caller gets its
 * status, an HTTP caller its HTTP status in Nest's body, a message `{ status: 'error', code, message }`.
 * A gRPC caller gets a status for every error that no filter of the app answers.
 */
@Catch()
export class ApixExceptionFilter implements ExceptionFilter {
  private readonly appFilters: AppFilters;
  private observers: readonly FailureObserver[] | undefined;
  private problems = false;

  constructor(
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ApplicationConfig) config: ApplicationConfig,
  ) {
    this.appFilters = new AppFilters(config, this);
  }

  /** From now on, HTTP callers get problem documents where Nest would answer. */
  writeProblems(): void {
    this.problems = true;
  }

  catch(exception: unknown, host: ArgumentsHost): unknown {
    switch (host.getType<string>()) {
      case 'http':
        return this.catchHttp(exception, host);
      case 'rpc':
        return this.catchRpc(exception, host);
      default:
        return this.catchOther(exception, host);
    }
  }

  private catchHttp(exception: unknown, host: ArgumentsHost): unknown {
    const http = host.switchToHttp();
    const request = http.getRequest<Wrapped<object>>();
    const answer = answerOf(exception, 'http');
    const logged = this.tell(exception, answer, 'http', request.raw ?? request);
    const shown = answer.ours ? new StatusHttpException(answer.error) : exception;
    const own = this.appFilters.choose(exception, shown);
    if (own !== undefined) return own.filter.catch(own.error, host);
    const { httpAdapter } = this.adapterHost;
    const response = http.getResponse<Wrapped<ServerResponse>>();
    // Before Nest 12.3, Fastify's adapter does not see what was written to the raw response.
    if (httpAdapter.isHeadersSent(response) || (response.raw ?? response).headersSent) {
      return httpAdapter.end(response);
    }
    // RFC 9110, section 15.5.2: a 401 says how to authenticate. A guard may have said it already.
    const challenges = this.problems || shown instanceof StatusHttpException;
    if (
      challenges &&
      answer.status === 401 &&
      !httpAdapter.getHeader(response, 'WWW-Authenticate')
    ) {
      httpAdapter.setHeader(response, 'WWW-Authenticate', 'Bearer');
    }
    if (!this.problems) return answerHttpAsNest(httpAdapter, shown, host, logged);
    httpAdapter.setHeader(response, 'Content-Type', PROBLEM_MEDIA_TYPE);
    httpAdapter.reply(response, problemAnswer(answer, exception), answer.status);
  }

  private catchRpc(exception: unknown, host: ArgumentsHost): unknown {
    const grpc = grpcArguments(host.getArgs());
    const answer = answerOf(exception, 'rpc');
    const logged = this.tell(exception, answer, 'rpc', grpc?.call.metadata);
    const own = this.askForMessage(exception, answer.ours, host);
    if (own !== undefined) return own;
    if (grpc !== undefined) return endGrpc(grpc, answer.error);
    if (answer.ours) return throwError(() => messageError(answer.error));
    return answerMessageAsNest(exception, logged);
  }

  /**
   * What a filter of the app makes of an error in a call or message. Undefined: none catches it, or
   * the one that does was written for HTTP, which shows in that it throws or returns nothing.
   */
  private askForMessage(exception: unknown, ours: boolean, host: ArgumentsHost): unknown {
    const own = this.appFilters.choose(exception);
    // A status of ours has no need of a filter that does not know of it.
    if (own === undefined || (ours && !own.named)) return undefined;
    try {
      const said: unknown = own.filter.catch(exception, host);
      return isObservable(said) || said instanceof Promise ? said : undefined;
    } catch {
      return undefined;
    }
  }

  private catchOther(exception: unknown, host: ArgumentsHost): unknown {
    const own = this.appFilters.choose(exception);
    if (own === undefined) throw exception;
    return own.filter.catch(exception, host);
  }

  /** @returns whether an observer has written the failure to a log. */
  private tell(
    error: unknown,
    { error: { code }, status, expected }: Answer,
    door: Failure['door'],
    carrier?: object,
  ): boolean {
    this.observers ??= discoverMarked<FailureObserver>(this.discovery, FAILURE_OBSERVER);
    let logged = false;
    for (const observer of this.observers) {
      try {
        observer.onFailure({ error, door, code, status, expected, carrier });
        logged ||= observer.logs === true;
      } catch {
        // Whoever only watches must not change what the caller gets.
      }
    }
    return logged;
  }
}

function messageError(error: StatusError): object {
  return { status: 'error', code: error.status, message: error.message };
}

function endGrpc({ call, end }: GrpcArguments, error: StatusError): Observable<unknown> {
  const status = grpcError(error, call.metadata);
  if (end === undefined) return throwError(() => status);
  end(status);
  // Nest awaits a value of whatever a stream call returns.
  return of(undefined);
}
