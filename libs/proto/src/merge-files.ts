import { clearField, clone, toBinary, type DescFile } from '@bufbuild/protobuf';
import {
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import { messagesIn } from './complete/references.js';
import type { SourcedFile } from './descriptor-source.js';

/**
 * One file for each name, imports before importers. The same file may come from several
 * sources; of equal copies the one with source info is kept, for its comments. Files of
 * google/protobuf/ differ between compiler versions by design, so the first one is kept.
 */
export function mergeFiles(
  files: readonly SourcedFile[],
  mistakes: string[],
): readonly FileDescriptorProto[] {
  const byName = new Map<string, SourcedFile>();
  for (const file of files) {
    const { name } = file.proto;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, file);
    // Why: docs/decisions/0003
    else if (!isWellKnown(name) && !areEqual(known.proto, file.proto)) {
      mistakes.push(
        `"${name}" differs between ${known.origin} and ${file.origin}; build both from the same protos`,
      );
    } else if (known.proto.sourceCodeInfo === undefined) {
      byName.set(name, file);
    }
  }
  return inImportOrder(byName, mistakes);
}

function isWellKnown(name: string): boolean {
  return name.startsWith('google/protobuf/');
}

function areEqual(a: FileDescriptorProto, b: FileDescriptorProto): boolean {
  return a === b || Buffer.compare(comparable(a), comparable(b)) === 0;
}

/** Generated code has neither source info nor the JSON names of extensions, which nothing uses. */
function comparable(file: FileDescriptorProto): Uint8Array {
  const copy = clone(FileDescriptorProtoSchema, file);
  delete copy.sourceCodeInfo;
  const declaring = [copy, ...Array.from(messagesIn(copy), ({ message }) => message)];
  for (const extension of declaring.flatMap((each) => each.extension)) {
    clearField(extension, FieldDescriptorProtoSchema.field.jsonName);
  }
  return toBinary(FileDescriptorProtoSchema, copy);
}

function inImportOrder(
  byName: ReadonlyMap<string, SourcedFile>,
  mistakes: string[],
): FileDescriptorProto[] {
  const ordered = new Set<FileDescriptorProto>();
  const open = new Set<string>();
  const visit = ({ proto, origin }: SourcedFile): void => {
    if (ordered.has(proto)) return;
    if (open.has(proto.name)) {
      mistakes.push(`"${proto.name}" imports itself: ${[...open, proto.name].join(' -> ')}`);
      return;
    }
    open.add(proto.name);
    for (const name of proto.dependency) {
      const dependency = byName.get(name);
      if (dependency !== undefined) visit(dependency);
      else {
        mistakes.push(
          `"${proto.name}" in ${origin} imports "${name}", which is in none of the sources; ` +
            'build the set with its imports (protoc needs --include_imports)',
        );
      }
    }
    open.delete(proto.name);
    ordered.add(proto);
  };
  for (const file of byName.values()) visit(file);
  return [...ordered];
}

/** Names, and extension numbers, that two files claim, which a single compiler run would refuse. */
export function findTypeConflicts(files: Iterable<DescFile>): string[] {
  const mistakes: string[] = [];
  const owners = new Map<string, DescFile>();
  const claim = (file: DescFile, key: string, what: string): void => {
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, file);
    else {
      mistakes.push(`${what} is declared by both "${owner.proto.name}" and "${file.proto.name}"`);
    }
  };
  for (const file of files) {
    for (const type of nestedTypes(file)) {
      claim(file, type.typeName, type.typeName);
      if (type.kind === 'extension') {
        const number = `${type.extendee.typeName} ${type.number}`;
        claim(file, number, `extension ${type.number} of ${type.extendee.typeName}`);
      }
    }
  }
  return mistakes;
}
