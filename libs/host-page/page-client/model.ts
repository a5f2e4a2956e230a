import type { PageView } from '../src/page-view.js';
import type { SectionViews } from '../src/section-views.js';
import type { PageTab } from './tabs/tab.js';

/** The latest view, with complete histories. A tab that is not open keeps what it had. */
export function merged(
  known: PageView | null,
  next: PageView,
  tabs: readonly Pick<PageTab, 'id' | 'merge'>[],
): PageView {
  if (known === null || known.process.startedAt !== next.process.startedAt) return next;
  const sections = { ...known.sections, ...mergedSections(known, next, tabs) };
  if (next.full) return { ...next, sections };
  return {
    ...next,
    sections,
    events: joined(known.events, next.events, next.keeps.events),
    samples: joined(known.samples, next.samples, next.keeps.samples),
  };
}

function mergedSections(
  known: PageView,
  next: PageView,
  tabs: readonly Pick<PageTab, 'id' | 'merge'>[],
): Partial<SectionViews> {
  const merged: Partial<SectionViews> = { ...next.sections };
  if (next.full) return merged;
  for (const { id, merge } of tabs) {
    const [before, added] = [known.sections[id], next.sections[id]];
    if (merge !== undefined && before !== undefined && added !== undefined) {
      Object.assign(merged, { [id]: merge(before, added) });
    }
  }
  return merged;
}

/** What is known and what is new: an entry may be sent twice, if another viewer connected in between. */
export function joined<T extends { readonly id: number }>(
  known: readonly T[],
  added: readonly T[],
  most: number,
): readonly T[] {
  const last = known.at(-1)?.id ?? 0;
  if ((added.at(-1)?.id ?? 0) <= last) return known;
  return [...known, ...added.filter(({ id }) => id > last)].slice(-most);
}
