import type { DescField, DescMessage } from '@bufbuild/protobuf';

/** How a message keeps the messages of one of its fields. */
export type LocalForm = 'message' | 'wrapper' | 'struct';

const WRAPPERS: ReadonlySet<string> = new Set(
  ['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map(
    (name) => `google.protobuf.${name}Value`,
  ),
);

/**
 * How protobuf-es keeps the messages of a field: as the value alone for a wrapper in a singular
 * field, as JSON for google.protobuf.Struct, and else as they are.
 */
export function localForm(field: DescField & { readonly message: DescMessage }): LocalForm {
  const { message, parent } = field;
  if (message.typeName === 'google.protobuf.Struct') {
    return parent.typeName === 'google.protobuf.Value' ? 'message' : 'struct';
  }
  if (field.fieldKind !== 'message' || field.oneof !== undefined) return 'message';
  return isWrapper(message) ? 'wrapper' : 'message';
}

function isWrapper(desc: DescMessage): boolean {
  const field = desc.fields[0];
  return (
    WRAPPERS.has(desc.typeName) &&
    field?.fieldKind === 'scalar' &&
    field.name === 'value' &&
    field.number === 1
  );
}
