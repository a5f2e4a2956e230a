import type { HttpExceptionOptions } from '@nestjs/common';

/** Options of an HttpException with a code, which Nest 11 does not look at. */
export function withErrorCode(
  errorCode: string,
): HttpExceptionOptions & { readonly errorCode: string } {
  return { errorCode };
}
