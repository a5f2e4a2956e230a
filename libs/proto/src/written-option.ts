import { type Mistakes, thrownText } from '@apix/contracts';
import type {
  DescExtension,
  DescField,
  DescMethod,
  DescService,
  ExtensionValueShape,
} from '@bufbuild/protobuf';
import { optionPlace } from './declaration-path.js';
import { optionOf } from './option.js';

/** An option as it was written. */
export interface WrittenOption<T> {
  readonly value: T;
  /** For mistakes in it: `file:line:column: element, option (name)`. */
  readonly where: string;
}

/** An option of an element; undefined if it is not set, or cannot be read, which is a mistake. */
export function writtenOption<Ext extends DescExtension>(
  element: DescService | DescMethod | DescField | DescExtension,
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
