import type { StatusDetail } from '@apix/contracts';
import { statusText } from './status-text.js';
import { lengthDelimited } from './wire.js';

/** The trailer that carries a google.rpc.Status. */
export const STATUS_DETAILS_KEY = 'grpc-status-details-bin';

/**
 * google.rpc.Status in binary form, as {@link STATUS_DETAILS_KEY} carries it. Written out here,
 * because this package brings no protobuf runtime along: code = 1 (varint), message = 2,
 * details = 3 (google.protobuf.Any with type_url = 1, value = 2).
 */
export function encodeStatus(
  code: number,
  message: string,
  details: readonly StatusDetail[],
): Buffer {
  return Buffer.concat([
    Uint8Array.of(0x08, code),
    lengthDelimited(2, Buffer.from(statusText(message))),
    ...details.map(({ typeUrl, value }) =>
      lengthDelimited(
        3,
        Buffer.concat([lengthDelimited(1, Buffer.from(typeUrl)), lengthDelimited(2, value)]),
      ),
    ),
  ]);
}
