import { isFieldSet } from '@bufbuild/protobuf';
import { protoCamelCase } from '@bufbuild/protobuf/reflect';
import {
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { type DeclaredTypes, inside } from './declared-types.js';
import type { Fill } from './filled.js';
import { messagesIn, referencesIn } from './references.js';

const TYPE = FieldDescriptorProtoSchema.field.type;

/**
 * JSON names that are not set follow from the names of the fields; those of extensions are never used. A
 * name of a type that does not start with a dot is looked up in the scopes around it, as in C++.
 */
export function* missingNames(file: FileDescriptorProto, types: DeclaredTypes): Iterable<Fill> {
  for (const { message } of messagesIn(file)) {
    for (const field of message.field) {
      if (field.jsonName === '') yield () => (field.jsonName = protoCamelCase(field.name));
    }
  }
  for (const { scope, name, rename, field } of referencesIn(file)) {
    const fullName = fullNameOf(name, scope, types);
    if (!name.startsWith('.')) yield () => rename(`.${fullName}`);
    if (field !== undefined && !isFieldSet(field, TYPE)) {
      // A type that nobody declares is refused with the name of it, as a message.
      const kind = types.get(fullName)?.kind ?? FieldDescriptorProto_Type.MESSAGE;
      yield () => (field.type = kind);
    }
  }
}

function fullNameOf(name: string, scope: string, types: DeclaredTypes): string {
  if (name.startsWith('.')) return name.slice(1);
  const around = scope.split('.');
  while (around.length > 0) {
    const candidate = inside(around.join('.'), name);
    if (types.has(candidate)) return candidate;
    around.pop();
  }
  return name;
}
