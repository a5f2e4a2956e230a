import type { DescEnum, DescExtension, DescField, DescMessage } from '@bufbuild/protobuf';

/** What a schema may refer to. */
export type Referable = DescMessage | DescEnum;

/** A field of a message, or an extension of it. */
export type Member = DescField | DescExtension;

/** How a schema is made of types. */
export interface Structure {
  /** The members of a message that are described, or nothing for a message that is not an object of them. */
  readonly membersOf: (desc: DescMessage) => readonly Member[];
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
