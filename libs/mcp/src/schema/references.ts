import type { ProtoRegistry } from '@apix/proto/core';
import type { DescEnum, DescExtension, DescField, DescMessage } from '@bufbuild/protobuf';

/** What a schema may refer to. */
export type Referable = DescMessage | DescEnum;

/** A field of a message, or an extension of it. */
export type MemberDesc = DescField | DescExtension;

/** How a schema is made of types. */
export interface Structure {
  /** The members of a message that are described, or nothing for a message that is not an object of them. */
  readonly membersOf: (desc: DescMessage) => readonly MemberDesc[];
  /** Whether a type is never referred to. */
  readonly isRepeated: (type: Referable) => boolean;
}

/**
 * The types that must be referred to: those that are used more than once, and so every type that leads to itself.
 * Each other one is described where it is used, which reads better.
 */
export function sharedTypes(root: DescMessage, structure: Structure): ReadonlySet<Referable> {
  const once = new Set<Referable>([root]);
  const shared = new Set<Referable>();
  const visited: DescMessage[] = [root];
  for (const message of visited) {
    for (const member of structure.membersOf(message)) {
      const type = member.message ?? member.enum;
      if (type === undefined || structure.isRepeated(type)) continue;
      if (once.has(type)) shared.add(type);
      else {
        once.add(type);
        if (type.kind === 'message') visited.push(type);
      }
    }
  }
  return shared;
}

const known = new WeakMap<ProtoRegistry, ReadonlyMap<string, readonly DescExtension[]>>();

/** The extensions of a message that the descriptors declare, which JSON has as members in brackets. */
export function extensionsFor(
  { typeName }: DescMessage,
  protos: ProtoRegistry,
): readonly DescExtension[] {
  let byExtendee = known.get(protos);
  if (byExtendee === undefined) known.set(protos, (byExtendee = extensionsIn(protos)));
  return byExtendee.get(typeName) ?? [];
}

function extensionsIn({ registry }: ProtoRegistry): ReadonlyMap<string, readonly DescExtension[]> {
  const byExtendee = new Map<string, DescExtension[]>();
  for (const desc of registry) {
    if (desc.kind !== 'extension') continue;
    const { typeName } = desc.extendee;
    byExtendee.set(typeName, [...(byExtendee.get(typeName) ?? []), desc]);
  }
  return byExtendee;
}
