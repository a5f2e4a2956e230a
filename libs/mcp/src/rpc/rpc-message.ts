import { Buffer, isUtf8 } from 'node:buffer';
import { thrownText } from '@apix/contracts';
import { endOfValue, memberSpans, skipSpace, type Span } from './json-members.js';
import { RpcCode, RpcError } from './rpc-error.js';

/** Of a request; notifications have none. */
export type RpcId = string | number;

/** Members of a JSON object. */
export type RpcMembers = Readonly<Record<string, unknown>>;

/** A request or a notification. */
export interface RpcMessage {
  /** Undefined for a notification. */
  readonly id: RpcId | undefined;
  readonly method: string;
  /** Without `arguments`. */
  readonly params: RpcMembers;
  /** `params.arguments` as it was sent, for the codec of the message; undefined if it is not there. */
  readonly argumentBytes: Buffer | undefined;
}

/** How deep everything but `arguments` may be nested: what is read of it has three levels. */
const MAX_DEPTH = 32;

/** How large everything but `arguments` may be, in bytes: it is read before it is known who may call. */
const MAX_BYTES = 64 * 1_024;

/** How long names of methods may be, and ids that are text. */
const MAX_TEXT = 256;

/**
 * Reads one message. `arguments` is left as it is, so that it is read once, and strictly.
 *
 * @param maxDepth how deep `arguments` may be nested.
 * @throws RpcError for everything else.
 */
export function readRpcMessage(body: Buffer, maxDepth: number): RpcMessage {
  if (!isUtf8(body)) throw new RpcError(RpcCode.PARSE_ERROR, 'parse error: invalid UTF-8');
  const first = skipSpace(body, 0);
  if (body[first] === 0x5b) {
    throw invalid('batches are not supported: send one message in each request');
  }
  const { message, argumentBytes } = parse(body, first, maxDepth);
  const { jsonrpc, id, method, params = {} } = message;
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0"', id);
  if (typeof method !== 'string') {
    const isResponse = 'result' in message || 'error' in message;
    throw invalid(
      isResponse ? 'this server sends no requests, so that it takes no responses' : NO_METHOD,
    );
  }
  if (method.length > MAX_TEXT) throw invalid('the name of the method is too long', id);
  if ('id' in message && !isRpcId(id)) throw invalid('id must be a string or an integer');
  if (!isMembers(params)) throw invalid('params must be an object', id);
  return { id: id as RpcId | undefined, method, params, argumentBytes };
}

/** The id to answer a message with that could not be read; null if it has none. */
export function idOfError(error: unknown): RpcId | null {
  const id = (error as { readonly requestId?: unknown } | null)?.requestId;
  return isRpcId(id) ? id : null;
}

export function isMembers(value: unknown): value is RpcMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NO_METHOD = 'method must be a string';

function isRpcId(id: unknown): id is RpcId {
  return typeof id === 'string' ? id.length <= MAX_TEXT : Number.isSafeInteger(id);
}

function invalid(problem: string, id?: unknown): RpcError {
  const error = new RpcError(RpcCode.INVALID_REQUEST, `invalid request: ${problem}`);
  return Object.assign(error, { requestId: id });
}

interface Parsed {
  readonly message: RpcMembers;
  readonly argumentBytes: Buffer | undefined;
}

function parse(body: Buffer, first: number, maxDepth: number): Parsed {
  try {
    // `params` and the object itself are two levels more.
    const { members, to: end } = memberSpans(body, first, maxDepth + 2);
    if (skipSpace(body, end) < body.length) throw new SyntaxError('expected the end');
    const params = members.get('params');
    const isObject = params !== undefined && body[params.from] === 0x7b;
    const own = isObject ? memberSpans(body, params.from, maxDepth + 1).members : undefined;
    const given = own?.get('arguments');
    const message = JSON.parse(withoutValue(body, first, end, given)) as RpcMembers;
    return { message, argumentBytes: given && body.subarray(given.from, given.to) };
  } catch (error) {
    const problem = `parse error: ${error instanceof SyntaxError ? error.message : thrownText(error)}`;
    throw new RpcError(RpcCode.PARSE_ERROR, problem, { cause: error });
  }
}

/** The text of a document with `null` in place of one value. */
function withoutValue(body: Buffer, from: number, to: number, value: Span | undefined): string {
  const bytes = to - from - (value === undefined ? 0 : value.to - value.from);
  if (bytes > MAX_BYTES) {
    throw new SyntaxError(`everything but arguments has more than ${MAX_BYTES} bytes`);
  }
  const rest =
    value === undefined
      ? body.subarray(from, to)
      : Buffer.concat([body.subarray(from, value.from), NULL, body.subarray(value.to, to)]);
  // `JSON.parse` takes any depth; nothing of it needs many levels.
  endOfValue(rest, 0, MAX_DEPTH);
  return rest.toString();
}

const NULL = Buffer.from('null');
