import type {
  DescriptorProto,
  FieldDescriptorProto,
  FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { inside } from './declared-types.js';

/** A place of a file where the name of a type is. */
export interface Reference {
  /** The full name of the package, message or service around it. */
  readonly scope: string;
  readonly name: string;
  readonly rename: (name: string) => void;
  /** The field that has the type, if it is that. */
  readonly field?: FieldDescriptorProto;
}

/** Every place of a file where the name of a type is. */
export function* referencesIn(file: FileDescriptorProto): Iterable<Reference> {
  yield* file.extension.flatMap((field) => ofField(file.package, field));
  for (const { message, scope } of messagesIn(file)) {
    yield* [...message.field, ...message.extension].flatMap((field) => ofField(scope, field));
  }
  for (const service of file.service) {
    const scope = inside(file.package, service.name);
    for (const method of service.method) {
      yield { scope, name: method.inputType, rename: (name) => (method.inputType = name) };
      yield { scope, name: method.outputType, rename: (name) => (method.outputType = name) };
    }
  }
}

/** Every message of a file, nested ones too, with its full name. */
export function* messagesIn(
  file: FileDescriptorProto,
): Iterable<{ readonly message: DescriptorProto; readonly scope: string }> {
  const open = file.messageType.map((message) => ({ message, around: file.package }));
  for (const { message, around } of open) {
    const scope = inside(around, message.name);
    yield { message, scope };
    open.push(...message.nestedType.map((nested) => ({ message: nested, around: scope })));
  }
}

function ofField(scope: string, field: FieldDescriptorProto): Reference[] {
  const references: Reference[] = [
    { scope, name: field.typeName, rename: (name) => (field.typeName = name), field },
    { scope, name: field.extendee, rename: (name) => (field.extendee = name) },
  ];
  return references.filter(({ name }) => name !== '');
}
