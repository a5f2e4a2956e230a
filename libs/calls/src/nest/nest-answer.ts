import {
  type ArgumentsHost,
  HttpException,
  type HttpServer,
  IntrinsicException,
  Logger,
} from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { type Observable, throwError } from 'rxjs';
import { isRpcException } from '../status/carried-status.js';

/**
 * Answers over HTTP as Nest does where an app has no filter.
 *
 * @param logged Whether a log has the failure already; if not, Nest writes what it does not know.
 */
export function answerHttpAsNest(
  adapter: HttpServer,
  exception: unknown,
  host: ArgumentsHost,
  logged: boolean,
): void {
  const nest = new BaseExceptionFilter(adapter);
  // Nest answers to this class as to any error that it does not know, and does not write it.
  const unknown = new IntrinsicException();
  try {
    const known = exception instanceof HttpException || nest.isHttpError(exception);
    nest.catch(logged && !known ? unknown : exception, host);
  } catch {
    // An error that cannot be read. Nobody else would answer.
    nest.catch(unknown, host);
  }
}

/** The same for messages: what `BaseRpcExceptionFilter` of @nestjs/microservices does. */
export function answerMessageAsNest(exception: unknown, logged: boolean): Observable<never> {
  const said = saidBy(exception);
  if (said !== undefined) return throwError(() => said);
  if (!logged) write(exception);
  return throwError(() => ({ status: 'error', message: 'Internal server error' }));
}

function saidBy(exception: unknown): object | undefined {
  try {
    if (!isRpcException(exception)) return undefined;
    const message = exception.getError();
    const isObject = typeof message === 'object' && message !== null;
    return isObject ? message : { status: 'error', message };
  } catch {
    // It cannot be read, so it says nothing.
    return undefined;
  }
}

function write(exception: unknown): void {
  try {
    if (!(exception instanceof IntrinsicException)) {
      new Logger('RpcExceptionsHandler').error(exception);
    }
  } catch {
    // It cannot be read, so it cannot be written.
  }
}
