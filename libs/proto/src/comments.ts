import type { AnyDesc, DescFile } from '@bufbuild/protobuf';

/** Field numbers inside descriptor.proto, which make up the paths of SourceCodeInfo. */
const IN_FILE = { package: 2, message: 4, enum: 5, service: 6, extension: 7 } as const;
const IN_MESSAGE = { field: 2, message: 3, enum: 4, extension: 6, oneof: 8 } as const;
const METHOD_OF_SERVICE = 2;
const VALUE_OF_ENUM = 2;

const byFile = new WeakMap<DescFile, ReadonlyMap<string, string>>();

/**
 * The comment right before a declaration, without comment marks and the space after them; for a file the
 * one before `package`. Empty if there is none, or if the descriptors were built without source info, as
 * generated code always is.
 */
export function commentsOf(desc: AnyDesc): string {
  const file = desc.kind === 'file' ? desc : fileOf(desc);
  let comments = byFile.get(file);
  if (comments === undefined) {
    comments = leadingComments(file);
    byFile.set(file, comments);
  }
  return comments.get(pathOf(desc).join()) ?? '';
}

function leadingComments(file: DescFile): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const { path, leadingComments } of file.proto.sourceCodeInfo?.location ?? []) {
    if (leadingComments !== '') comments.set(path.join(), clean(leadingComments));
  }
  return comments;
}

function clean(comment: string): string {
  return comment
    .replace(/^ /gm, '')
    .replace(/[ \t]+$/gm, '')
    .trim();
}

function fileOf(desc: Exclude<AnyDesc, DescFile>): DescFile {
  switch (desc.kind) {
    case 'message':
    case 'enum':
    case 'extension':
    case 'service':
      return desc.file;
    case 'field':
    case 'oneof':
    case 'rpc':
    case 'enum_value':
      return desc.parent.file;
  }
}

function pathOf(desc: AnyDesc): number[] {
  return desc.kind === 'file' ? [IN_FILE.package] : stepsTo(desc);
}

/** The number of a field and an index in it, for each declaration from the file to this one. */
function stepsTo(desc: AnyDesc): number[] {
  switch (desc.kind) {
    case 'file':
      return [];
    case 'message':
    case 'enum':
    case 'extension': {
      const { parent, file, kind, proto } = desc;
      if (parent === undefined) {
        const { messageType, enumType, extension } = file.proto;
        const list = { message: messageType, enum: enumType, extension }[kind];
        return [IN_FILE[kind], indexIn(list, proto)];
      }
      const { nestedType, enumType, extension } = parent.proto;
      const list = { message: nestedType, enum: enumType, extension }[kind];
      return [...stepsTo(parent), IN_MESSAGE[kind], indexIn(list, proto)];
    }
    case 'field':
      return [
        ...stepsTo(desc.parent),
        IN_MESSAGE.field,
        indexIn(desc.parent.proto.field, desc.proto),
      ];
    case 'oneof':
      return [
        ...stepsTo(desc.parent),
        IN_MESSAGE.oneof,
        indexIn(desc.parent.proto.oneofDecl, desc.proto),
      ];
    case 'enum_value':
      return [...stepsTo(desc.parent), VALUE_OF_ENUM, indexIn(desc.parent.proto.value, desc.proto)];
    case 'service':
      return [IN_FILE.service, indexIn(desc.file.proto.service, desc.proto)];
    case 'rpc':
      return [
        ...stepsTo(desc.parent),
        METHOD_OF_SERVICE,
        indexIn(desc.parent.proto.method, desc.proto),
      ];
  }
}

function indexIn(list: readonly unknown[], declaration: unknown): number {
  return list.indexOf(declaration);
}
