import { type Mistakes, thrownText } from '@apix/contracts';
import { optionOf } from '@apix/proto/core';
import { optionPlace } from '@apix/proto/internal';
import type {
  DescExtension,
  DescField,
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

export const UNKNOWN_FIELDS =
  'has fields that this version of @apix/authz does not know; update the package';

/** Whether a part of an option is not known: it could be the one that keeps callers out. */
export function hasUnknownFields(message: Message | undefined): boolean {
  return (message?.$unknown?.length ?? 0) > 0;
}
