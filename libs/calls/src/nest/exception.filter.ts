import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { ServerResponse } from 'node:http';
import { type Observable, of, throwError } from 'rxjs';
import { PROBLEM_MEDIA_TYPE, problemOf } from '../status/problem.js';
import {
  FAILURE_OBSERVER,
  type Failure,
  type FailureObserver,
  type StatusError,
} from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { type Answer, answerOf } from './answer.js';
import { type GrpcArguments, grpcArguments } from './grpc-arguments.js';
import { grpcError } from './grpc-error.js';

/** What Fastify passes on has Node's object inside. */
type Wrapped<T> = T & { readonly raw?: T };

/**
 * The one exception filter: a gRPC caller gets a status, an HTTP caller a problem document
 * (RFC 9457), other transports `{ status: 'error', code, message }`, and every failure observer
 * learns what failed. Contexts of other types (WebSocket, GraphQL) get the error back to handle.
 */
@Catch()
export class ApixExceptionFilter implements ExceptionFilter {
  private observers: readonly FailureObserver[] | undefined;

  constructor(
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): Observable<unknown> | void {
    switch (host.getType<string>()) {
      case 'http':
        return this.catchHttp(exception, answerOf(exception, 'http'), host);
      case 'rpc':
        return this.catchRpc(exception, answerOf(exception, 'rpc'), host);
      default:
        throw exception;
    }
  }

  private catchHttp(exception: unknown, answer: Answer, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Wrapped<object>>();
    this.tell(exception, answer, 'http', request.raw ?? request);
    const { httpAdapter } = this.adapterHost;
    const response = http.getResponse<Wrapped<ServerResponse>>();
    // Before Nest 12.3, Fastify's adapter does not see what was written to the raw response.
    if (httpAdapter.isHeadersSent(response) || (response.raw ?? response).headersSent) {
      httpAdapter.end(response);
      return;
    }
    httpAdapter.setHeader(response, 'Content-Type', PROBLEM_MEDIA_TYPE);
    const { status } = answer;
    // RFC 9110, section 15.5.2: a 401 says how to authenticate. A guard may have said it already.
    if (status === 401 && !httpAdapter.getHeader(response, 'WWW-Authenticate')) {
      httpAdapter.setHeader(response, 'WWW-Authenticate', 'Bearer');
    }
    httpAdapter.reply(response, problemOf(answer.error, { status }), status);
  }

  private catchRpc(exception: unknown, answer: Answer, host: ArgumentsHost): Observable<unknown> {
    const grpc = grpcArguments(host.getArgs());
    this.tell(exception, answer, 'rpc', grpc?.call.metadata);
    if (grpc === undefined) return throwError(() => messageError(answer.error));
    return endGrpc(grpc, answer.error);
  }

  private tell(error: unknown, answer: Answer, door: Failure['door'], carrier?: object): void {
    this.observers ??= discoverMarked<FailureObserver>(this.discovery, FAILURE_OBSERVER);
    const { status, expected } = answer;
    const { code } = answer.error;
    for (const observer of this.observers) {
      try {
        observer.onFailure({ error, door, code, status, expected, carrier });
      } catch {
        // Whoever only watches must not change what the caller gets.
      }
    }
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
