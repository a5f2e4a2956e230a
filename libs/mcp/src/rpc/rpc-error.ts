/** Error codes of JSON-RPC 2.0 and of the Model Context Protocol. */
export const RpcCode = {
  PARSE_ERROR: -32_700,
  INVALID_REQUEST: -32_600,
  METHOD_NOT_FOUND: -32_601,
  INVALID_PARAMS: -32_602,
  INTERNAL_ERROR: -32_603,
  /** Of the transport: method, type, size, origin. */
  REFUSED: -32_000,
  SESSION_NOT_FOUND: -32_001,
  HEADER_MISMATCH: -32_020,
  UNSUPPORTED_VERSION: -32_022,
} as const;

interface RpcErrorOptions {
  /** Default: 400. */
  readonly status?: number;
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error of the protocol, as its caller gets it. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  /** The status of HTTP. */
  readonly status: number;
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: number,
    message: string,
    { status = 400, data, headers = {}, cause }: RpcErrorOptions = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.data = data;
    this.headers = headers;
  }
}
