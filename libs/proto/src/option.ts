import {
  type AnyDesc,
  type DescExtension,
  type Extendee,
  type ExtensionValueShape,
  getExtension,
  hasExtension,
} from '@bufbuild/protobuf';

/**
 * The value of a custom option, or undefined where it is not written: `option (x) = {};` is
 * there, and is not the same as no option. protobuf-es' own `getOption` gives an empty message
 * for both. An option for another kind of element is never there.
 */
export function optionOf<Ext extends DescExtension>(
  element: AnyDesc,
  option: Ext,
): ExtensionValueShape<Ext> | undefined {
  const options = element.proto.options as Extendee<Ext> | undefined;
  return options !== undefined && hasExtension(options, option)
    ? getExtension(options, option)
    : undefined;
}
