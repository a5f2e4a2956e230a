import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { httpStatusOf, type StatusError } from '@apix/contracts';

/**
 * A {@link StatusError} in the form that Nest's filters and those of apps understand: the status is
 * that of its code, the body `{ message, error, statusCode }`, as `ForbiddenException` has it.
 */
export class StatusHttpException extends HttpException {
  constructor(readonly statusError: StatusError) {
    const status = httpStatusOf(statusError.code);
    const title = STATUS_CODES[status] ?? 'Error';
    super(HttpException.createBody(statusError.message, title, status), status, {
      cause: statusError,
    });
  }
}
