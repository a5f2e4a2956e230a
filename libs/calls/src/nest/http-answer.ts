import { type ArgumentsHost, HttpException, IntrinsicException, Logger } from '@nestjs/common';
import { type AbstractHttpAdapter, BaseExceptionFilter } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObservable } from 'rxjs';
import { leaveRequest } from '@apix/contracts/internal';
import { problemTypeFor } from '../status/problem.js';
import type { Answer } from './answer.js';
import { problemAnswer } from './problem-answer.js';

const LOGGER = new Logger('ExceptionsHandler');

/** Fastify's objects contain those of Node. */
type Wrapped<T> = T & { readonly raw?: T };

/** A request under way, and its response. */
export interface HttpExchange {
  /** As the platform has it. */
  readonly response: object;
  readonly rawRequest: object;
  readonly rawResponse: ServerResponse;
}

/** The request and response of a host; undefined if it has none, whatever its type is. */
export function httpExchange(host: ArgumentsHost): HttpExchange | undefined {
  const request = host.getArgByIndex<Wrapped<object> | null | undefined>(0);
  const response = host.getArgByIndex<Wrapped<Partial<ServerResponse>> | null | undefined>(1);
  if (typeof request !== 'object' || request === null) return undefined;
  if (typeof response !== 'object' || response === null) return undefined;
  const raw = response.raw ?? response;
  if (typeof raw.setHeader !== 'function') return undefined;
  return { response, rawRequest: request.raw ?? request, rawResponse: raw as ServerResponse };
}

/**
 * Whether a filter left a request to Nest. A filter for messages or GraphQL returns what is to be sent
 * there, and does not answer HTTP requests.
 */
export function isLeft(said: unknown, { rawResponse }: HttpExchange): boolean {
  return (isObservable(said) || said instanceof Error) && !rawResponse.headersSent;
}

export interface HttpFailure {
  readonly adapter: AbstractHttpAdapter;
  readonly exchange: HttpExchange;
  readonly host: ArgumentsHost;
  readonly answer: Answer;
  /** The thrown error, or the HttpException created from it. */
  readonly shown: unknown;
  /** Whether the failure has been logged already; if not, Nest logs an error that it does not know. */
  readonly isLogged: boolean;
  /** Whether the answer is a problem document. Else it is as Nest makes it. */
  readonly problems: boolean;
}

/** Answers an error that no filter of the app has answered. */
export function answerHttp(failure: HttpFailure): void {
  const { adapter, exchange, answer, problems } = failure;
  const { response } = exchange;
  leaveRequest(exchange.rawResponse);
  // Before Nest 12.3, Fastify's adapter does not see what was written to the raw response.
  if (adapter.isHeadersSent(response) || exchange.rawResponse.headersSent) {
    adapter.end(response);
    writeAsNest(failure);
    return;
  }
  // RFC 9110, section 15.5.2: a 401 says how to authenticate. A guard may have said it already.
  const challenges = answer.status === 401 && (problems || answer.ours !== undefined);
  if (challenges && !adapter.getHeader(response, 'WWW-Authenticate')) {
    adapter.setHeader(response, 'WWW-Authenticate', 'Bearer');
  }
  if (!problems) return answerAsNest(failure);
  adapter.setHeader(response, 'Content-Type', problemTypeFor(acceptOf(exchange)));
  // Given to reply(), a status makes Express's adapter of Nest 11 take the media type back.
  adapter.status(response, answer.status);
  adapter.reply(response, problemAnswer(answer, failure.shown));
  writeAsNest(failure);
}

function acceptOf({ rawRequest }: HttpExchange): string | undefined {
  return (rawRequest as Partial<IncomingMessage>).headers?.accept;
}

/** Writes what Nest would write of an error that it answers. */
function writeAsNest({ shown, isLogged }: HttpFailure): void {
  if (isLogged || isSilent(shown)) return;
  LOGGER.error(shown);
}

function isSilent(exception: unknown): boolean {
  try {
    return exception instanceof HttpException || exception instanceof IntrinsicException;
  } catch {
    // It cannot be read, so it cannot be written.
    return true;
  }
}

/** As an app without filters answers. */
function answerAsNest({ adapter, host, shown, isLogged }: HttpFailure): void {
  const nest = new BaseExceptionFilter(adapter);
  nest.catch(isLogged ? unwritten(shown, nest) : shown, host);
}

/** An error that Nest answers as it does the given one, and does not write to its log. */
function unwritten(exception: unknown, nest: BaseExceptionFilter): unknown {
  try {
    // Nest does not log these.
    if (exception instanceof HttpException) return exception;
    if (!nest.isHttpError(exception)) return new IntrinsicException();
    const { statusCode, message, expose = true } = exception;
    const error = new IntrinsicException(message);
    return Object.assign(error, { statusCode, status: statusCode, expose });
  } catch {
    // It cannot be read, so nothing is known of it.
    return new IntrinsicException();
  }
}
