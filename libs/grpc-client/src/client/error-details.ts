import { isStatusError } from '@apix/contracts';
import { wireCodec } from '@apix/proto/core';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';

/**
 * The details of a type that an error carries, such as those of `BadRequest` in google/rpc. Empty for an
 * error that is not a StatusError, and without details that cannot be read: what a server adds to an error
 * must not cause another one.
 */
export function detailsOf<D extends DescMessage>(error: unknown, type: D): MessageShape<D>[] {
  if (!isStatusError(error)) return [];
  return error.details.flatMap(({ typeUrl, value }) => {
    if (typeUrl.slice(typeUrl.lastIndexOf('/') + 1) !== type.typeName) return [];
    try {
      return [wireCodec(type).decode(value) as MessageShape<D>];
    } catch {
      return [];
    }
  });
}
