import { cleanText } from '../tools/tool-text.js';
import { SERVER_INFO } from './revisions.js';
import type { RpcError } from './rpc-error.js';
import type { RpcId } from './rpc-message.js';

/** The longest message of an error, in UTF-16 units. */
const LONGEST_MESSAGE = 1_024;

/** The answer to a request, as JSON. @param result a JSON object. */
export function resultText(id: RpcId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** The answer to a message that is refused, as JSON. */
export function refusalText(
  id: RpcId | null,
  { code, message, data }: Pick<RpcError, 'code' | 'message' | 'data'>,
): string {
  const error = { code, message: cleanText(message, LONGEST_MESSAGE), data };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

/** A notification of progress, as JSON. */
export function progressText(token: RpcId, progress: number, message: string): string {
  const params = { progressToken: token, progress, message: cleanText(message, LONGEST_MESSAGE) };
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params });
}

/** Who serves, for clients. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

/** A result as the revision without sessions has it: complete, and with the server's name. */
export function statelessResult(result: string, server: ServerInfo): string {
  const meta = JSON.stringify({ [SERVER_INFO]: server });
  return `{"resultType":"complete","_meta":${meta},${result.slice(1)}`;
}
