import type { StatusDetail } from '../status-error.js';

/**
 * google.rpc.Status in binary form, as `grpc-status-details-bin` carries it. Written out here,
 * because this package brings no protobuf runtime along: code = 1 (varint), message = 2,
 * details = 3 (google.protobuf.Any with type_url = 1, value = 2).
 */
export function encodeStatus(
  code: number,
  message: string,
  details: readonly StatusDetail[],
): Buffer {
  return Buffer.concat([
    Buffer.from([0x08, code]),
    field(2, Buffer.from(message)),
    ...details.map(({ typeUrl, value }) =>
      field(3, Buffer.concat([field(1, Buffer.from(typeUrl)), field(2, value)])),
    ),
  ]);
}

function field(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(bytes.length)]), bytes]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return [...bytes, rest];
}
