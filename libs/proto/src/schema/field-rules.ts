import {
  type DescField,
  type DescMessage,
  type DescOneof,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import { optionOf } from '../option.js';
import type { ProtoRegistry } from '../proto-registry.js';

/** Rules of protovalidate as ProtoJSON: numbers of 64 bits are texts, durations such as `1s`. */
export type Rules = Readonly<Record<string, unknown>>;

/**
 * The rules of (buf.validate.field) for a field; undefined without it. Read through the registry, so that
 * protovalidate need not be installed.
 */
export function rulesOf(protos: ProtoRegistry, field: DescField): Rules | undefined {
  return optionAsJson(protos, field, 'buf.validate.field');
}

/** The rules of (buf.validate.message) for a message; undefined without it. */
export function messageRulesOf(protos: ProtoRegistry, desc: DescMessage): Rules | undefined {
  return optionAsJson(protos, desc, 'buf.validate.message');
}

/** Whether (buf.validate.oneof) wants one of the fields of a oneof to be set. */
export function oneofMustBeSet(protos: ProtoRegistry, oneof: DescOneof): boolean {
  return optionAsJson(protos, oneof, 'buf.validate.oneof')?.['required'] === true;
}

/** Sets of fields of which (buf.validate.message) lets at most one be set. */
export function exclusiveFields(protos: ProtoRegistry, desc: DescMessage): readonly string[][] {
  const { oneof } = messageRulesOf(protos, desc) ?? {};
  if (!Array.isArray(oneof)) return [];
  return (oneof as readonly { readonly fields?: string[] }[]).map(({ fields = [] }) => fields);
}

/** The rules of a type inside those of a field, such as `string`; empty if there are none. */
export function rulesIn(rules: Rules, type: string): Rules {
  return (rules[type] ?? {}) as Rules;
}

/** A rule's value or values as texts; none if it is not there. */
export function textsIn(rules: Rules, name: string): string[] {
  return [rules[name] ?? []].flat().map(String);
}

function optionAsJson(
  protos: ProtoRegistry,
  desc: DescField | DescMessage | DescOneof,
  name: string,
): Rules | undefined {
  const extension = protos.registry.getExtension(name);
  if (extension?.message === undefined) return undefined;
  const option = optionOf(desc, extension) as Message | undefined;
  if (option === undefined) return undefined;
  return toJson(extension.message, option, { registry: protos.registry }) as Rules;
}
