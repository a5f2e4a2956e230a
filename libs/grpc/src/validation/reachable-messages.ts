import type { DescMessage } from '@bufbuild/protobuf';

/** The given types and every type that their messages can contain, each once. */
export function reachableMessages(roots: Iterable<DescMessage>): ReadonlySet<DescMessage> {
  const found = new Set(roots);
  for (const desc of found) {
    for (const field of desc.fields) {
      if (field.message !== undefined) found.add(field.message);
    }
  }
  return found;
}
