/** Canonical gRPC status codes, with their numbers on the wire (google/rpc/code.proto). */
export enum Code {
  OK = 0,
  CANCELLED = 1,
  UNKNOWN = 2,
  INVALID_ARGUMENT = 3,
  DEADLINE_EXCEEDED = 4,
  NOT_FOUND = 5,
  ALREADY_EXISTS = 6,
  PERMISSION_DENIED = 7,
  RESOURCE_EXHAUSTED = 8,
  FAILED_PRECONDITION = 9,
  ABORTED = 10,
  OUT_OF_RANGE = 11,
  UNIMPLEMENTED = 12,
  INTERNAL = 13,
  UNAVAILABLE = 14,
  DATA_LOSS = 15,
  UNAUTHENTICATED = 16,
}

/** True for the seventeen canonical codes; false for anything else, numeric strings included. */
export function isCode(value: unknown): value is Code {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 16;
}

/** The code's name as google/rpc/code.proto spells it, `UNKNOWN` for a number that is not a code. */
export function codeName(code: number): string {
  return Code[code] ?? 'UNKNOWN';
}

const HTTP_OF_CODE: Readonly<Record<Code, number>> = {
  [Code.OK]: 200,
  [Code.CANCELLED]: 499,
  [Code.UNKNOWN]: 500,
  [Code.INVALID_ARGUMENT]: 400,
  [Code.DEADLINE_EXCEEDED]: 504,
  [Code.NOT_FOUND]: 404,
  [Code.ALREADY_EXISTS]: 409,
  [Code.PERMISSION_DENIED]: 403,
  [Code.RESOURCE_EXHAUSTED]: 429,
  [Code.FAILED_PRECONDITION]: 400,
  [Code.ABORTED]: 409,
  [Code.OUT_OF_RANGE]: 400,
  [Code.UNIMPLEMENTED]: 501,
  [Code.INTERNAL]: 500,
  [Code.UNAVAILABLE]: 503,
  [Code.DATA_LOSS]: 500,
  [Code.UNAUTHENTICATED]: 401,
};

const CODE_OF_HTTP: ReadonlyMap<number, Code> = new Map([
  [400, Code.INVALID_ARGUMENT],
  [401, Code.UNAUTHENTICATED],
  [403, Code.PERMISSION_DENIED],
  [404, Code.NOT_FOUND],
  [408, Code.DEADLINE_EXCEEDED],
  [409, Code.ABORTED],
  [412, Code.FAILED_PRECONDITION],
  [413, Code.RESOURCE_EXHAUSTED],
  [416, Code.OUT_OF_RANGE],
  [422, Code.INVALID_ARGUMENT],
  [429, Code.RESOURCE_EXHAUSTED],
  [499, Code.CANCELLED],
  [501, Code.UNIMPLEMENTED],
  [503, Code.UNAVAILABLE],
  [504, Code.DEADLINE_EXCEEDED],
]);

/** The HTTP status of a gRPC code, as the comments of google/rpc/code.proto give it. */
export function httpStatusOf(code: Code): number {
  return HTTP_OF_CODE[code];
}

/**
 * The gRPC code that comes nearest to an HTTP status: a code with that status in {@link httpStatusOf} where
 * there is one; 408 is DEADLINE_EXCEEDED, 412 FAILED_PRECONDITION, 413 RESOURCE_EXHAUSTED, 416 OUT_OF_RANGE;
 * the other 4xx are INVALID_ARGUMENT, other 5xx INTERNAL, 2xx OK and the rest UNKNOWN.
 */
export function codeOfHttpStatus(status: number): Code {
  const known = CODE_OF_HTTP.get(status);
  if (known !== undefined) return known;
  if (status >= 200 && status < 300) return Code.OK;
  if (status >= 400 && status < 500) return Code.INVALID_ARGUMENT;
  if (status >= 500 && status < 600) return Code.INTERNAL;
  return Code.UNKNOWN;
}
