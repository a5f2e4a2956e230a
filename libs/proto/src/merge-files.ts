import { clearField, clone, toBinary } from '@bufbuild/protobuf';
import {
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
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
