import {
  type AnyDesc,
  type DescExtension,
  type Extendee,
  type ExtensionValueShape,
  getExtension,
  hasExtension,
  type DescMethod,
} from '@bufbuild/protobuf';
import type { MethodOptions, ServiceOptions } from '@bufbuild/protobuf/wkt';
import { fullMethodName } from './method-name.js';

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

/**
 * The number of the options of `apix/authz/authz.proto`: `requires` on MethodOptions and
 * `default_requires` on ServiceOptions. It is on the wire and never changes.
 */
export const POLICY_OPTION_NUMBER = 50701;

/** The option of `apix/authz/authz.proto` that states who sees a field of answers. */
export const VISIBLE_OPTION = 'apix.authz.visible';

/** How many methods {@link describePolicies} names. */
const NAMED = 5;

/**
 * Whether a method has a policy: its own `requires`, or `default_requires` of its service. An empty or a
 * public requirement is a policy too. Reads only the descriptors, so that a server can check this without
 * the package that enforces policies.
 */
export function hasPolicy(method: DescMethod): boolean {
  return isSet(method.proto.options) || isSet(method.parent.proto.options);
}

/**
 * Which of the methods have a policy, for a message: how many, and the names of the first five. Undefined
 * if none has one.
 */
export function describePolicies(methods: Iterable<DescMethod>): string | undefined {
  const names = [...new Set([...methods].filter(hasPolicy).map(fullMethodName))];
  if (names.length === 0) return undefined;
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  const count = names.length === 1 ? '1 method' : `${names.length} methods`;
  return `${count} with a policy (${names.slice(0, NAMED).join(', ')}${more})`;
}

/** Custom options are unknown fields, in descriptor sets and generated code alike. */
function isSet(options: MethodOptions | ServiceOptions | undefined): boolean {
  return options?.$unknown?.some(({ no }) => no === POLICY_OPTION_NUMBER) ?? false;
}
