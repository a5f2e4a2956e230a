import type { IncomingMessage } from 'node:http';
import { cleanLine } from '../tools/tool-text.js';
import { isMembers, type RpcMembers, type RpcMessage } from './rpc-message.js';
import { RpcCode, RpcError } from './rpc-error.js';

/** The revision without sessions. */
export const STATELESS = '2026-07-28';

/** Those before it, the latest first. */
export const WITH_SESSIONS: readonly string[] = ['2025-11-25', '2025-06-18'];

const PREFIX = 'io.modelcontextprotocol/';
const VERSION = `${PREFIX}protocolVersion`;
const CAPABILITIES = `${PREFIX}clientCapabilities`;
const CLIENT = `${PREFIX}clientInfo`;

/** Where the name and version of the server are in the `_meta` of results. */
export const SERVER_INFO = `${PREFIX}serverInfo`;

/** Which field of the parameters the header `Mcp-Name` repeats, by method. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([['tools/call', 'name']]);

/** Whether a message is one of the revision without sessions: it says so itself, or by its header. */
export function isStateless(req: IncomingMessage, { method, params }: RpcMessage): boolean {
  const claimed = metaOf(params)[VERSION];
  if (method === 'initialize') return claimed === STATELESS;
  return claimed !== undefined || (headerOf(req, 'mcp-protocol-version') ?? '') >= STATELESS;
}

/**
 * Checks what each message of the revision without sessions has to say, and that its headers say the same.
 *
 * @throws RpcError, 400.
 */
export function assertStateless(req: IncomingMessage, message: RpcMessage): void {
  const meta = metaOf(message.params);
  const claimed = meta[VERSION];
  const header = headerOf(req, 'mcp-protocol-version');
  if (message.id !== undefined) assertMeta(meta);
  if (typeof claimed === 'string' && header !== undefined && header !== claimed) {
    throw mismatch('MCP-Protocol-Version', header, claimed);
  }
  const version = claimed ?? header;
  if (version !== STATELESS) {
    throw new RpcError(RpcCode.UNSUPPORTED_VERSION, 'this protocol version is not supported', {
      data: { supported: [STATELESS], requested: repeated(version) },
    });
  }
  const { method, params, id } = message;
  const named = headerOf(req, 'mcp-method');
  if (named !== undefined && named !== method) throw mismatch('Mcp-Method', named, method);
  if (id === undefined) return;
  if (header === undefined) throw missing('MCP-Protocol-Version');
  if (named === undefined) throw missing('Mcp-Method');
  const field = NAMED_BY.get(method);
  if (field !== undefined) assertName(req, params[field]);
}

function assertMeta(meta: RpcMembers): void {
  const { [VERSION]: version, [CAPABILITIES]: capabilities, [CLIENT]: client } = meta;
  if (typeof version !== 'string') throw badMeta(VERSION, 'a string');
  if (!isMembers(capabilities)) throw badMeta(CAPABILITIES, 'an object');
  if (client !== undefined && !isMembers(client)) throw badMeta(CLIENT, 'an object');
}

function badMeta(member: string, wanted: string): RpcError {
  return new RpcError(RpcCode.INVALID_PARAMS, `params._meta["${member}"] must be ${wanted}`);
}

function assertName(req: IncomingMessage, name: unknown): void {
  const header = headerOf(req, 'mcp-name');
  if (header === undefined) {
    if (typeof name === 'string') throw missing('Mcp-Name');
    return;
  }
  const decoded = decodedName(header);
  if (decoded === undefined) {
    throw new RpcError(RpcCode.HEADER_MISMATCH, 'the header Mcp-Name has invalid base64');
  }
  if (typeof name === 'string' && decoded !== name) throw mismatch('Mcp-Name', decoded, name);
}

const BASE64_NAME =
  /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** Names that no header can have are sent as base64. */
function decodedName(header: string): string | undefined {
  if (!header.startsWith('=?base64?')) return header;
  const base64 = BASE64_NAME.exec(header)?.[1];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString();
}

function mismatch(name: string, header: string, body: string): RpcError {
  const text = `the header ${name} and the body disagree`;
  return new RpcError(RpcCode.HEADER_MISMATCH, text, {
    data: { header: repeated(header), body: repeated(body) },
  });
}

/** What a message says, for its error. */
function repeated(text: unknown): string | undefined {
  return typeof text === 'string' ? cleanLine(text, 128) : undefined;
}

function missing(name: string): RpcError {
  return new RpcError(RpcCode.HEADER_MISMATCH, `the header ${name} is required`);
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

function metaOf({ _meta: meta }: RpcMembers): RpcMembers {
  return isMembers(meta) ? meta : {};
}

/** The name of the client that a message of the revision without sessions states; undefined if it does not. */
export function clientOf({ params }: RpcMessage): string | undefined {
  return clientName(metaOf(params)[CLIENT]);
}

/** The name in what a client says of itself. */
export function clientName(info: unknown): string | undefined {
  const name = isMembers(info) ? info['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** What progress is to be reported under; undefined if none is wanted. */
export function progressTokenOf({ params }: RpcMessage): string | number | undefined {
  const token = metaOf(params)['progressToken'];
  const isToken = typeof token === 'string' ? token.length <= 256 : Number.isSafeInteger(token);
  return isToken ? (token as string | number) : undefined;
}
