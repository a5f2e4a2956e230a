import { httpExceptionOf } from '@apix/calls/nest';
import { Code, type StatusError } from '@apix/contracts';
import type { HttpException } from '@nestjs/common';

/** The codes that clients of Apollo know. */
const CODES: Readonly<Partial<Record<Code, string>>> = {
  [Code.UNAUTHENTICATED]: 'UNAUTHENTICATED',
  [Code.PERMISSION_DENIED]: 'FORBIDDEN',
};

/**
 * A refusal as an exception for resolvers: like that of Nest's own guards, with the `extensions` that
 * graphql-js copies from any error. Nest's driver for Apollo writes the same ones; other drivers write
 * none.
 */
export function graphqlExceptionOf(error: StatusError): HttpException {
  const exception = httpExceptionOf(error);
  const code = CODES[error.code];
  const extensions =
    code === undefined
      ? { code: 'INTERNAL_SERVER_ERROR', status: exception.getStatus() }
      : { code };
  return Object.assign(exception, { extensions });
}
