import { clearField, create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { protoCamelCase } from '@bufbuild/protobuf/reflect';
import {
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { messagesIn, referencesIn } from './references.js';

/** A set whose files were changed. */
export function changedSet(
  set: Uint8Array,
  change: (file: FileDescriptorProto) => void,
): Uint8Array<ArrayBuffer> {
  const { file } = fromBinary(FileDescriptorSetSchema, set);
  file.forEach(change);
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
}

/** As generated code of Python, C++ and Java has it: with the JSON names that were written, no others. */
export function withoutJsonNames(file: FileDescriptorProto): void {
  for (const { message } of messagesIn(file)) {
    for (const field of [...message.field, ...message.extension]) {
      if (field.jsonName === protoCamelCase(field.name)) {
        clearField(field, FieldDescriptorProtoSchema.field.jsonName);
      }
    }
  }
}

/** As protobufjs describes its types: without kinds, dots before full names, and imports. */
export function withoutLinks(file: FileDescriptorProto): void {
  for (const { name, rename, field } of referencesIn(file)) {
    rename(name.replace(/^\./, ''));
    if (field !== undefined && field.type !== FieldDescriptorProto_Type.GROUP) {
      clearField(field, FieldDescriptorProtoSchema.field.type);
    }
  }
  file.dependency = [];
}
