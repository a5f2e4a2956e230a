import type { SectionId, SectionViews } from '../section-views.js';
import type { PageSection } from './section.js';

/** The sections of the page, of which only those with viewers work. */
export class OpenSections {
  readonly #watched = new Map<PageSection, () => void>();

  /** @param isOpen whether a viewer has the tab open. */
  constructor(
    private readonly sections: readonly PageSection[],
    private readonly isOpen: (tab: string) => boolean,
  ) {}

  /** The tabs that have a source. */
  get present(): readonly SectionId[] {
    return this.sections.filter(isPresent).map(({ id }) => id);
  }

  /** The data of the tab and of no other; of none, if it is absent. */
  view(tab: string, full: boolean): Partial<SectionViews> {
    const section = this.find(tab);
    return section === undefined ? {} : { [section.id]: section.view(full) };
  }

  /** The section of a tab; undefined if it is absent or there is no such tab. */
  find(tab: string): PageSection | undefined {
    return this.sections.find((section) => section.id === tab && isPresent(section));
  }

  /** Begins and ends the work of sections as viewers come and go. */
  follow(): void {
    for (const section of this.sections) {
      const end = this.#watched.get(section);
      const isOpen = this.isOpen(section.id);
      if (isOpen && end === undefined) {
        this.#watched.set(section, section.watch?.() ?? (() => {}));
      } else if (!isOpen && end !== undefined) {
        this.#watched.delete(section);
        end();
      }
    }
  }

  /** Refreshes what is open; all sections, for a new viewer. Returns whether the present tabs have changed. */
  async refresh(all: boolean): Promise<boolean> {
    const before = this.present.join();
    const due = this.sections.filter(({ id }) => all || this.isOpen(id));
    await Promise.all(due.map(async (section) => section.refresh?.()));
    return this.present.join() !== before;
  }
}

function isPresent(section: PageSection): boolean {
  return section.isPresent?.() ?? true;
}
