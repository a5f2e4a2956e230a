import {
  type JsonSchema,
  exclusiveFields,
  messageRulesOf,
  oneofMustBeSet,
} from '@apix/proto/internal';
import type { ProtoRegistry } from '@apix/proto/core';
import type { DescMessage } from '@bufbuild/protobuf';

/** Members of which at most one is set; or exactly one. */
export interface Rivals {
  readonly names: readonly string[];
  readonly demandsOne: boolean;
}

/** Up to so many members are listed in pairs, which reads better. */
const MOST_IN_PAIRS = 4;

/** The oneofs of a message, and the sets of fields that protovalidate makes one of. */
export function rivalsIn(protos: ProtoRegistry, desc: DescMessage): Rivals[] {
  const oneofs = desc.oneofs.map((oneof) => ({
    names: oneof.fields.map(({ jsonName }) => jsonName),
    demandsOne: oneofMustBeSet(protos, oneof),
  }));
  const rules = [messageRulesOf(protos, desc)?.['oneof'] ?? []].flat() as readonly {
    readonly required?: boolean;
  }[];
  const nameOf = new Map(desc.fields.map(({ name, jsonName }) => [name, jsonName]));
  const sets = exclusiveFields(protos, desc).map((names, at) => ({
    names: names.map((name) => nameOf.get(name) ?? name),
    demandsOne: rules[at]?.required === true,
  }));
  return [...oneofs, ...sets];
}

/**
 * That not two of them are there, and one is where one is demanded; nothing for none. As `not`, since models'
 * interfaces refuse `oneOf`, `anyOf` and `allOf` at the root of arguments.
 */
// Why: docs/decisions/0541
export function rivalKeywords(rivals: readonly Rivals[]): JsonSchema {
  const breaches = rivals.flatMap(({ names, demandsOne }) => [
    ...(demandsOne ? [noneOf(names)] : []),
    ...(names.length <= MOST_IN_PAIRS ? pairsOf(names) : [severalOf(names)]),
  ]);
  if (breaches.length === 0) return {};
  return { not: breaches.length === 1 ? breaches[0] : { anyOf: breaches } };
}

function pairsOf(names: readonly string[]): JsonSchema[] {
  return names.flatMap((name, at) =>
    names.slice(at + 1).map((other) => ({ required: [name, other] })),
  );
}

function noneOf(names: readonly string[]): JsonSchema {
  return { properties: Object.fromEntries(names.map((name) => [name, false])) };
}

function severalOf(names: readonly string[]): JsonSchema {
  return { not: { oneOf: [noneOf(names), ...names.map((name) => ({ required: [name] }))] } };
}
