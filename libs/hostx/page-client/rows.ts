/** A cell's text, and how it looks. */
export interface Cell {
  readonly text: string;
  readonly look?: string;
  /** For a time that is told in words: the time itself. */
  readonly title?: string;
}

export interface Row {
  readonly key: string;
  /** The first is the row's heading. */
  readonly cells: readonly Cell[];
}

/**
 * The rows of a table. Only what has changed is touched, so that a selection, the focus and the
 * scroll position outlive an update.
 */
export class Rows {
  readonly #rows = new Map<string, HTMLTableRowElement>();
  readonly #empty: HTMLTableRowElement;

  constructor(
    private readonly body: HTMLTableSectionElement,
    columns: number,
  ) {
    this.#empty = document.createElement('tr');
    const cell = this.#empty.insertCell();
    cell.colSpan = columns;
    cell.className = 'empty';
    cell.textContent = body.dataset['empty'] ?? '';
  }

  show(rows: readonly Row[]): void {
    const gone = new Set(this.#rows.keys());
    let at = this.body.firstElementChild;
    for (const row of rows) {
      gone.delete(row.key);
      const element = this.#element(row);
      if (element === at) at = at.nextElementSibling;
      else this.body.insertBefore(element, at);
    }
    for (const key of gone) {
      this.#rows.get(key)?.remove();
      this.#rows.delete(key);
    }
    if (rows.length === 0) this.body.append(this.#empty);
    else this.#empty.remove();
  }

  #element({ key, cells }: Row): HTMLTableRowElement {
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = document.createElement('tr');
      row.append(...cells.map((_, index) => newCell(index)));
      this.#rows.set(key, row);
    }
    for (const [index, { text, look = '', title = '' }] of cells.entries()) {
      const cell = row.cells[index]!;
      if (cell.textContent !== text) cell.textContent = text;
      if (cell.className !== look) cell.className = look;
      if (cell.title !== title) cell.title = title;
    }
    return row;
  }
}

function newCell(index: number): HTMLTableCellElement {
  const cell = document.createElement(index === 0 ? 'th' : 'td');
  if (index === 0) cell.scope = 'row';
  return cell;
}
