import type { Message } from '@bufbuild/protobuf';

export { type WrittenOption, writtenOption } from '@apix/proto/internal';

export const UNKNOWN_FIELDS =
  'has fields that this version of @apix/authz does not know; update the package';

/** Whether a part of an option is not known: it could be the one that keeps callers out. */
export function hasUnknownFields(message: Message | undefined): boolean {
  return (message?.$unknown?.length ?? 0) > 0;
}
