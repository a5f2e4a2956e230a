import type { UnknownField } from '@bufbuild/protobuf';
import type { WireType } from '@bufbuild/protobuf/wire';
import type { MessageMembers } from '../../message/message-shape.js';

/** Keeps a value that the message's type has no field for. */
export function keepUnknown(
  message: MessageMembers,
  no: number,
  wireType: WireType,
  data: Uint8Array,
): void {
  const kept = message['$unknown'] as UnknownField[] | undefined;
  if (kept === undefined) message['$unknown'] = [{ no, wireType, data }];
  else kept.push({ no, wireType, data });
}
