import {
  BadRequestException,
  ConflictException,
  ForbiddenException,
  GatewayTimeoutException,
  HttpException,
  type HttpExceptionOptions,
  InternalServerErrorException,
  NotFoundException,
  NotImplementedException,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { httpStatusOf, isStatusError, type StatusError } from '@apix/contracts';
import { reasonPhrase } from '../status/reason-phrase.js';

/** Under which such an exception has its status, for other copies of this package too. */
const STATUS = Symbol.for('apix.StatusOfHttpException');

type ExceptionClass = new (
  message: string,
  options: HttpExceptionOptions & { readonly description: string },
) => HttpException;

/** Those that Nest has for the statuses of codes. */
const CLASSES: Readonly<Record<number, ExceptionClass>> = {
  400: BadRequestException,
  401: UnauthorizedException,
  403: ForbiddenException,
  404: NotFoundException,
  409: ConflictException,
  500: InternalServerErrorException,
  501: NotImplementedException,
  503: ServiceUnavailableException,
  504: GatewayTimeoutException,
};

/**
 * A {@link StatusError} as an exception that Nest and the filters of apps understand: PERMISSION_DENIED as
 * a `ForbiddenException`, with its body. The error itself is the `cause`. A status that Nest has no class
 * for (429, 499) is an `HttpException`.
 */
export function httpExceptionOf(error: StatusError): HttpException {
  const status = httpStatusOf(error.code);
  const description = reasonPhrase(status);
  const Exception = CLASSES[status];
  const exception =
    Exception === undefined
      ? new HttpException(HttpException.createBody(error.message, description, status), status, {
          cause: error,
        })
      : new Exception(error.message, { cause: error, description });
  return Object.defineProperty(exception, STATUS, { value: error });
}

/**
 * The StatusError that was made such an exception; undefined for anything else.
 *
 * @throws whatever an error throws that cannot be read.
 */
export function statusErrorIn(exception: unknown): StatusError | undefined {
  if (!(exception instanceof Error) || !(STATUS in exception)) return undefined;
  const error = exception[STATUS];
  return isStatusError(error) ? error : undefined;
}
