import type { AnyDesc, DescFile } from '@bufbuild/protobuf';

/** Field numbers inside descriptor.proto, which make up the paths of SourceCodeInfo. */
const IN_FILE = { package: 2, message: 4, enum: 5, service: 6, extension: 7 } as const;
const IN_MESSAGE = { field: 2, message: 3, enum: 4, extension: 6, oneof: 8 } as const;
const METHOD_OF_SERVICE = 2;
const VALUE_OF_ENUM = 2;
/** The number of `options` in the descriptor of each kind of element. */
const OPTIONS = { service: 3, rpc: 4, field: 8, extension: 8 } as const;

/** An element whose options say where they are written. */
type Annotated = Extract<AnyDesc, { kind: keyof typeof OPTIONS }>;

/** The file of a declaration. */
export function fileOf(desc: AnyDesc): DescFile {
  switch (desc.kind) {
    case 'file':
      return desc;
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

/** The path of a declaration in the SourceCodeInfo of its file; of a file that of its `package`. */
export function pathOf(desc: AnyDesc): number[] {
  return desc.kind === 'file' ? [IN_FILE.package] : stepsTo(desc);
}

/**
 * Where an option, by its number, is written, as `file:line:column` with the name of its element. Without source info
 * in the descriptors only that name.
 */
export function optionPlace(element: Annotated, option: number): string {
  const file = fileOf(element);
  const path = [...stepsTo(element), OPTIONS[element.kind], option];
  const found = file.proto.sourceCodeInfo?.location.find(
    (location) =>
      location.path.length >= path.length && path.every((part, i) => location.path[i] === part),
  );
  if (found === undefined) return element.toString();
  const [line = 0, column = 0] = found.span;
  return `${file.proto.name}:${line + 1}:${column + 1}: ${element.toString()}`;
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
