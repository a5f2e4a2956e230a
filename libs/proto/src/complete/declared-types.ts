import {
  type DescriptorProto,
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';

/** What a field of the type has as its own type, if it says nothing else. */
export type TypeKind = FieldDescriptorProto_Type.MESSAGE | FieldDescriptorProto_Type.ENUM;

/** A message or enum. */
export interface DeclaredType {
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
