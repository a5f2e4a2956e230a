import {
  type DescriptorProto,
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
  type FieldDescriptorProto,
} from '@bufbuild/protobuf/wkt';

/** What a field of the type has as its own type, if it says nothing else. */
type TypeKind = FieldDescriptorProto_Type.MESSAGE | FieldDescriptorProto_Type.ENUM;

/** A message or enum. */
interface DeclaredType {
  readonly kind: TypeKind;
  /** Names of the files that declare it: one, unless they conflict. */
  readonly files: readonly [string, ...string[]];
}

/** Types by their full names, without a dot before them. */
export type DeclaredTypes = ReadonlyMap<string, DeclaredType>;

export function declaredTypes(files: readonly FileDescriptorProto[]): DeclaredTypes {
  const types = new Map<string, DeclaredType>();
  const declare = (file: FileDescriptorProto, name: string, kind: TypeKind): void => {
    const known = types.get(name)?.files ?? [];
    types.set(name, { kind, files: [file.name, ...known] });
  };
  for (const file of files) {
    const visit = (scope: string, { messageType, enumType }: TypeScope): void => {
      for (const { name } of enumType) {
        declare(file, inside(scope, name), FieldDescriptorProto_Type.ENUM);
      }
      for (const message of messageType) {
        const name = inside(scope, message.name);
        declare(file, name, FieldDescriptorProto_Type.MESSAGE);
        visit(name, { messageType: message.nestedType, enumType: message.enumType });
      }
    };
    visit(file.package, file);
  }
  return types;
}

interface TypeScope extends Pick<DescriptorProto, 'enumType'> {
  readonly messageType: readonly DescriptorProto[];
}

/** The full name of what a package or message declares; the scope is empty for no package. */
export function inside(scope: string, name: string): string {
  return scope === '' ? name : `${scope}.${name}`;
}

/** A place of a file where the name of a type is. */
interface Reference {
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
