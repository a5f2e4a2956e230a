import { hasMark } from './brand.js';
import { Code, codeName, isCode } from './code.js';

const MARK = Symbol.for('apix.StatusError');

const NO_DETAILS: readonly StatusDetail[] = Object.freeze([]);
const NO_TRAILERS: Readonly<Record<string, never>> = Object.freeze({});

/** One entry of google.rpc.Status `details`: a packed google.protobuf.Any. */
export interface StatusDetail {
  /** Such as `type.googleapis.com/google.rpc.BadRequest`. */
  readonly typeUrl: string;
  /** The message's binary form. */
  readonly value: Uint8Array;
}

export interface StatusErrorOptions {
  readonly cause?: unknown;
  /** Typed details for the caller. Default: none. */
  readonly details?: readonly StatusDetail[];
  /** Extra trailers for a gRPC caller: lower-case keys, bytes where they end in `-bin`. Default: none. */
  readonly trailers?: Readonly<Record<string, string | Buffer>>;
}

/**
 * A failure with a gRPC status. Its message is meant for the caller; what only the operator may see belongs
 * in `cause`.
 *
 * A StatusError with code OK would be a contradiction that could let a call in; the constructor turns it,
 * and any number that is not a code, into UNKNOWN.
 */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code: Code;
  readonly details: readonly StatusDetail[];
  readonly trailers: Readonly<Record<string, string | Buffer>>;

  constructor(code: Code, message: string, options: StatusErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = isCode(code) && code !== Code.OK ? code : Code.UNKNOWN;
    this.details = options.details ?? NO_DETAILS;
    this.trailers = options.trailers ?? NO_TRAILERS;
  }

  get [MARK](): true {
    return true;
  }

  /** The code's name, such as `PERMISSION_DENIED`. */
  get status(): string {
    return codeName(this.code);
  }
}

/** Recognises a StatusError of any installed copy of this package. */
export function isStatusError(value: unknown): value is StatusError {
  return hasMark(value, MARK);
}
