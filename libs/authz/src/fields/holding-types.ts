import type { DescMessage, FileRegistry } from '@bufbuild/protobuf';

export const ANY = 'google.protobuf.Any';

/** The names of these types, and of all that may hold a message of one at any depth; an Any may hold each. */
export function typesWith(
  types: readonly DescMessage[],
  registry: FileRegistry,
): ReadonlySet<string> {
  const found = new Set(types.map(({ typeName }) => typeName));
  if (found.size === 0) return found;
  found.add(ANY);
  const holders = holdersIn(registry);
  for (const name of found) for (const holder of holders.get(name) ?? []) found.add(holder);
  return found;
}

const known = new WeakMap<FileRegistry, ReadonlyMap<string, ReadonlySet<string>>>();

/** By the name of a type, those that have a field of it. */
function holdersIn(registry: FileRegistry): ReadonlyMap<string, ReadonlySet<string>> {
  const before = known.get(registry);
  if (before !== undefined) return before;
  const holders = new Map<string, Set<string>>();
  for (const type of registry) {
    if (type.kind !== 'message') continue;
    for (const { message } of type.fields) {
      if (message === undefined) continue;
      const own = holders.get(message.typeName) ?? new Set();
      holders.set(message.typeName, own.add(type.typeName));
    }
  }
  known.set(registry, holders);
  return holders;
}

/** The names of a type and of all that its messages may hold, an Any not looked into. */
export function typesIn(desc: DescMessage): ReadonlySet<string> {
  const reached = new Set([desc]);
  for (const { fields } of reached) {
    for (const { message } of fields) if (message !== undefined) reached.add(message);
  }
  return new Set([...reached].map(({ typeName }) => typeName));
}
