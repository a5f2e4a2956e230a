import { Code, type StatusDetail, type StatusError, codeName } from '@apix/contracts';
import type { RpcContext } from '../protocol.js';

/** An error as Connect writes it (connectrpc.com/docs/protocol, "Error end-stream"). */
export interface ConnectErrorJson {
  readonly code: string;
  readonly message?: string;
  readonly details?: readonly object[];
}

/** The JSON of an error. */
export function connectError(error: StatusError, context: RpcContext): ConnectErrorJson {
  const { code, message, details } = error;
  return {
    code: code === Code.CANCELLED ? 'canceled' : codeName(code).toLowerCase(),
    ...(message !== '' && { message }),
    ...(details.length > 0 && { details: details.map((detail) => detailOf(detail, context)) }),
  };
}

/** The bytes are for programs, `debug` is for people. */
function detailOf(detail: StatusDetail, context: RpcContext): object {
  const { typeUrl, value } = detail;
  const { '@type': _, ...debug } = context.detailValue(detail) ?? { '@type': '' };
  return {
    type: typeUrl.slice(typeUrl.lastIndexOf('/') + 1),
    value: Buffer.from(value).toString('base64').replace(/=+$/, ''),
    ...(Object.keys(debug).length > 0 && { debug }),
  };
}
