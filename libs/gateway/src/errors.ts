import { encodeBadRequest } from '@apix/calls';
import { Code, StatusError, httpStatusOf } from '@apix/contracts';
import { cutText, mistakesText } from '@apix/contracts/internal';

/** Thrown when a gateway is built from rules or options that cannot work; lists all of them. */
export class GatewayConfigError extends Error {
  override readonly name = 'GatewayConfigError';

  constructor(
    /** Every mistake, each naming its method or option. */
    readonly mistakes: readonly string[],
    options?: ErrorOptions,
  ) {
    super(mistakesText('gateway', mistakes), options);
  }
}

interface RefusalOptions {
  /** Default: the one of the error's code. */
  readonly httpStatus?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer other than success: a status error, with the HTTP status and headers to send it. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly status: StatusError,
    { httpStatus = httpStatusOf(status.code), headers = {} }: RefusalOptions = {},
  ) {
    super(status.message, { cause: status });
    this.httpStatus = httpStatus;
    this.headers = headers;
  }
}

/** An answer other than success, of a code and its message. */
export function refusal(code: Code, message: string, options?: RefusalOptions): HttpRefusal {
  return new HttpRefusal(new StatusError(code, message), options);
}

/** A 400 for one part of the request: `field` is its place, such as `order.id`; '' if there is none. */
export function badRequest(message: string, field = '', cause?: unknown): HttpRefusal {
  const violation = { field, description: message, reason: '' };
  return new HttpRefusal(
    new StatusError(Code.INVALID_ARGUMENT, message, {
      cause,
      details: field === '' ? [] : [encodeBadRequest([violation])],
    }),
  );
}

/** A value as it stood in the request, quoted and cut, for an error message. */
export function quotedInput(text: string): string {
  return JSON.stringify(cutText(text, 64));
}
