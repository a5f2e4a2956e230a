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
