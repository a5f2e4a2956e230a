import { type Mistakes, thrownText } from '@apix/contracts';
import { optionOf } from '@apix/proto/core';
import type {
  DescExtension,
  DescField,
  DescFile,
  DescMessage,
  DescMethod,
  DescService,
  ExtensionValueShape,
  Message,
} from '@bufbuild/protobuf';

/** An option as it was written. */
export interface WrittenOption<T> {
  readonly value: T;
  /** For mistakes in it. */
  readonly where: string;
}

/** What has options of ours. */
type Annotated = DescService | DescMethod | DescField | DescExtension;

/** An option of an element; undefined if it is not set, or cannot be read, which is a mistake. */
export function writtenOption<Ext extends DescExtension>(
  element: Annotated,
  option: Ext,
  mistakes: Mistakes,
): WrittenOption<ExtensionValueShape<Ext>> | undefined {
  const where = `${optionPlace(element, option.number)}, option (${option.typeName})`;
  try {
    const value: ExtensionValueShape<Ext> | undefined = optionOf(element, option);
    return value === undefined ? undefined : { value: value as ExtensionValueShape<Ext>, where };
  } catch (error) {
    mistakes.add(where, `is not an ${option.message?.typeName}: ${thrownText(error)}`);
    return undefined;
  }
}

/** Field numbers of descriptor.proto: the paths of source info are made of them. */
const FILE_SERVICE = 6;
const SERVICE_METHOD = 2;
const SERVICE_OPTIONS = 3;
const METHOD_OPTIONS = 4;
const FILE_MESSAGE = 4;
const FILE_EXTENSION = 7;
const MESSAGE_FIELD = 2;
const MESSAGE_NESTED = 3;
const MESSAGE_EXTENSION = 6;
const FIELD_OPTIONS = 8;

/**
 * Where an option, by its number, is written, as `file:line:column` with the name of its element. Without source info
 * in the descriptors only that name.
 */
function optionPlace(element: Annotated, option: number): string {
  const file = fileOf(element);
  const path = [...pathOf(element), option];
  const found = file.proto.sourceCodeInfo?.location.find(
    (location) =>
      location.path.length >= path.length && path.every((part, i) => location.path[i] === part),
  );
  if (found === undefined) return element.toString();
  const [line = 0, column = 0] = found.span;
  return `${file.proto.name}:${line + 1}:${column + 1}: ${element.toString()}`;
}

function fileOf(element: Annotated): DescFile {
  const isOfFile = element.kind === 'service' || element.kind === 'extension';
  return isOfFile ? element.file : element.parent.file;
}

function pathOf(element: Annotated): number[] {
  if (element.kind === 'field') {
    const { parent, proto } = element;
    return [
      ...messagePath(parent),
      MESSAGE_FIELD,
      parent.proto.field.indexOf(proto),
      FIELD_OPTIONS,
    ];
  }
  if (element.kind === 'extension') {
    const { parent, file, proto } = element;
    const path =
      parent === undefined
        ? [FILE_EXTENSION, file.proto.extension.indexOf(proto)]
        : [...messagePath(parent), MESSAGE_EXTENSION, parent.proto.extension.indexOf(proto)];
    return [...path, FIELD_OPTIONS];
  }
  if (element.kind === 'service') {
    const { service } = element.file.proto;
    return [FILE_SERVICE, service.indexOf(element.proto), SERVICE_OPTIONS];
  }
  const { parent } = element;
  const { service } = parent.file.proto;
  return [
    FILE_SERVICE,
    service.indexOf(parent.proto),
    SERVICE_METHOD,
    parent.proto.method.indexOf(element.proto),
    METHOD_OPTIONS,
  ];
}

function messagePath({ parent, file, proto }: DescMessage): number[] {
  return parent === undefined
    ? [FILE_MESSAGE, file.proto.messageType.indexOf(proto)]
    : [...messagePath(parent), MESSAGE_NESTED, parent.proto.nestedType.indexOf(proto)];
}

export const UNKNOWN_FIELDS =
  'has fields that this version of @apix/authz does not know; update the package';

/** Whether a part of an option is not known: it could be the one that keeps callers out. */
export function hasUnknownFields(message: Message | undefined): boolean {
  return (message?.$unknown?.length ?? 0) > 0;
}
