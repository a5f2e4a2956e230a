import type { StatusDetail } from '@apix/contracts';
import { eachField } from './wire.js';

/**
 * The details of a binary google.rpc.Status, as `grpc-status-details-bin` carries it; empty if the bytes
 * are malformed: what a server adds to an error must not cause another error. Written by hand, because this
 * package has no protobuf runtime: details = 3 (google.protobuf.Any with type_url = 1, value = 2).
 */
export function decodeStatusDetails(bytes: Uint8Array): readonly StatusDetail[] {
  const details: StatusDetail[] = [];
  const sound = eachField(bytes, (number, any) => {
    if (number !== 3) return true;
    let typeUrl = '';
    let value: Uint8Array = new Uint8Array();
    const sound = eachField(any, (inner, part) => {
      if (inner === 1) typeUrl = new TextDecoder().decode(part);
      else if (inner === 2) value = part;
      return true;
    });
    details.push({ typeUrl, value });
    return sound;
  });
  return sound ? details : [];
}
