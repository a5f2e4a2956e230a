import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import type { DeclaredTypes } from './declared-types.js';
import type { Fill } from './filled.js';
import { referencesIn } from './references.js';

/**
 * Imports of the files whose types a file uses. Some servers send files without any.
 *
 * @param file whose types have full names.
 */
export function* missingImports(
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
