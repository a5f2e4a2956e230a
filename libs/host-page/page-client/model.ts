import type { PageView } from '../src/page-view.js';

/** The latest view, with complete histories. */
export function merged(known: PageView | null, next: PageView): PageView {
  if (next.full || known === null) return next;
  return {
    ...next,
    events: joined(known.events, next.events, next.keeps.events),
    samples: joined(known.samples, next.samples, next.keeps.samples),
  };
}

/** An entry may be sent twice, if another viewer connected in between. */
function joined<T extends { readonly id: number }>(
  known: readonly T[],
  added: readonly T[],
  most: number,
): readonly T[] {
  const last = known.at(-1)?.id ?? 0;
  if ((added.at(-1)?.id ?? 0) <= last) return known;
  return [...known, ...added.filter(({ id }) => id > last)].slice(-most);
}
