import { matching } from './cells.js';
import { byId, rowsOf } from './elements.js';
import type { Row } from './rows.js';

/** A table with a field that filters its rows by the text of any cell: `<id>-filter`, and `<id>-filter-count` next to it. */
export class FilteredRows {
  readonly #rows;
  readonly #filter;
  readonly #count;

  /** @param onFilter called when the text of the field has changed. */
  constructor(id: string, onFilter: () => void) {
    this.#rows = rowsOf(id);
    this.#filter = byId(`${id}-filter`) as HTMLInputElement;
    this.#count = byId(`${id}-filter-count`);
    this.#filter.addEventListener('input', onFilter);
  }

  show(all: readonly Row[]): void {
    const found = matching(all, this.#filter.value);
    const isFiltered = this.#filter.value.trim() !== '';
    this.#rows.show(found, isFiltered ? 'nothing matches the filter' : undefined);
    this.#count.textContent = isFiltered ? `${found.length} of ${all.length}` : '';
  }
}
