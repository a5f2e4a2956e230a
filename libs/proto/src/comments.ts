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
  switch (desc.kind) {
    case 'file':
      return [IN_FILE.package];
    case 'message':
      return desc.parent === undefined
        ? [IN_FILE.message, desc.file.proto.messageType.indexOf(desc.proto)]
        : [
            ...pathOf(desc.parent),
            IN_MESSAGE.message,
            desc.parent.proto.nestedType.indexOf(desc.proto),
          ];
    case 'enum':
      return desc.parent === undefined
        ? [IN_FILE.enum, desc.file.proto.enumType.indexOf(desc.proto)]
        : [...pathOf(desc.parent), IN_MESSAGE.enum, desc.parent.proto.enumType.indexOf(desc.proto)];
    case 'extension':
      return desc.parent === undefined
        ? [IN_FILE.extension, desc.file.proto.extension.indexOf(desc.proto)]
        : [
            ...pathOf(desc.parent),
            IN_MESSAGE.extension,
            desc.parent.proto.extension.indexOf(desc.proto),
          ];
    case 'field':
      return [
        ...pathOf(desc.parent),
        IN_MESSAGE.field,
        desc.parent.proto.field.indexOf(desc.proto),
      ];
    case 'oneof':
      return [
        ...pathOf(desc.parent),
        IN_MESSAGE.oneof,
        desc.parent.proto.oneofDecl.indexOf(desc.proto),
      ];
    case 'enum_value':
      return [...pathOf(desc.parent), VALUE_OF_ENUM, desc.parent.proto.value.indexOf(desc.proto)];
    case 'service':
      return [IN_FILE.service, desc.file.proto.service.indexOf(desc.proto)];
    case 'rpc':
      return [
        ...pathOf(desc.parent),
        METHOD_OF_SERVICE,
        desc.parent.proto.method.indexOf(desc.proto),
      ];
  }
}
