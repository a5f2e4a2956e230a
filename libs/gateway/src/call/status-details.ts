import type { StatusDetail } from '@apix/contracts';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { fromBinary } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';

const DETAILS = 3;

/**
 * The details of a binary google.rpc.Status, as `grpc-status-details-bin` carries it; none when
 * the bytes are no such message: what a server adds to an error must not make another one.
 */
export function readStatusDetails(bytes: Uint8Array): StatusDetail[] {
  const details: StatusDetail[] = [];
  try {
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (field !== DETAILS) reader.skip(wireType, field);
      else {
        const { typeUrl, value } = fromBinary(AnySchema, reader.bytes());
        details.push({ typeUrl, value });
      }
    }
  } catch {
    return [];
  }
  return details;
}
