import { fromBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { BinaryReader } from '@bufbuild/protobuf/wire';

/** A google.rpc.Status, which the protos of the suite do not have. */
export interface RpcStatus {
  readonly code: number;
  readonly message: string;
  readonly details: readonly Any[];
}

export function readRpcStatus(bytes: Uint8Array): RpcStatus {
  const reader = new BinaryReader(bytes);
  const details: Any[] = [];
  let [code, message] = [0, ''];
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 1) code = reader.int32();
    else if (field === 2) message = reader.string();
    else if (field === 3) details.push(fromBinary(AnySchema, reader.bytes()));
    else reader.skip(wireType);
  }
  return { code, message, details };
}
