import { clone, isFieldSet } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { protoCamelCase } from '@bufbuild/protobuf/reflect';
import type { SourcedFile } from '../descriptor-source.js';
import {
  declaredTypes,
  type DeclaredTypes,
  inside,
  messagesIn,
  referencesIn,
} from './references.js';

/**
 * Sets what descriptors may leave open by the rules of descriptor.proto: JSON names of fields, full names
 * and kinds of types, and imports of the files that are used. A file that lacks nothing is returned as it is.
 */
// Why: docs/decisions/0003
export function completeFiles(files: readonly SourcedFile[]): readonly SourcedFile[] {
  const protos = files.map(({ proto }) => proto);
  const types = declaredTypes(protos);
  const named = protos.map((proto) => filled(proto, (file) => missingNames(file, types)));
  const byName = new Map(named.map((proto) => [proto.name, proto]));
  return files.map(({ origin }, at) => ({
    origin,
    proto: filled(named[at]!, (file) => missingImports(file, types, byName)),
  }));
}

/** Sets one thing that a file lacks. */
type Fill = () => void;

/** The file if it lacks nothing, or else a copy that has it: a file of generated code belongs to that code. */
function filled(
  file: FileDescriptorProto,
  missingIn: (file: FileDescriptorProto) => Iterable<Fill>,
): FileDescriptorProto {
  if ([...missingIn(file)].length === 0) return file;
  const copy = clone(FileDescriptorProtoSchema, file);
  for (const fill of missingIn(copy)) fill();
  return copy;
}

const TYPE = FieldDescriptorProtoSchema.field.type;

/**
 * JSON names that are not set follow from the names of the fields; those of extensions are never used. A
 * name of a type that does not start with a dot is looked up in the scopes around it, as in C++.
 */
function* missingNames(file: FileDescriptorProto, types: DeclaredTypes): Iterable<Fill> {
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

/**
 * Imports of the files whose types a file uses. Some servers send files without any.
 *
 * @param file whose types have full names.
 */
function* missingImports(
  file: FileDescriptorProto,
  types: DeclaredTypes,
  byName: ReadonlyMap<string, FileDescriptorProto>,
): Iterable<Fill> {
  const imported = importedBy(file, byName);
  for (const { name } of referencesIn(file)) {
    const files = types.get(name.slice(1))?.files;
    if (files === undefined || files.some((declaring) => imported.has(declaring))) continue;
    const [first] = files;
    imported.add(first);
    yield () => file.dependency.push(first);
  }
}

/** The file, what it imports, and what those import in turn. */
function importedBy(
  file: FileDescriptorProto,
  byName: ReadonlyMap<string, FileDescriptorProto>,
): Set<string> {
  const names = new Set([file.name]);
  for (const name of names) {
    for (const imported of byName.get(name)?.dependency ?? []) names.add(imported);
  }
  return names;
}
