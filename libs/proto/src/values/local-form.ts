import type { DescExtension, DescField, DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';

/** How a message keeps the messages of one of its fields. */
export type LocalForm = 'message' | 'wrapper' | 'struct';

/**
 * How protobuf-es keeps the messages of a field: as the value alone for a wrapper in a singular
 * field, as JSON for google.protobuf.Struct, and else as they are.
 */
export function localForm(
  field: (DescField | DescExtension) & { readonly message: DescMessage },
): LocalForm {
  const { message } = field;
  if (message.typeName === 'google.protobuf.Struct') {
    const holder = field.kind === 'field' ? field.parent : field.extendee;
    return holder.typeName === 'google.protobuf.Value' ? 'message' : 'struct';
  }
  if (field.fieldKind !== 'message' || field.oneof !== undefined) return 'message';
  return isWrapperDesc(message) ? 'wrapper' : 'message';
}

/** The type inside of a message of google/protobuf/wrappers.proto. */
export function wrappedType(desc: DescMessage): ScalarType | undefined {
  return isWrapperDesc(desc) ? desc.fields[0].scalar : undefined;
}
