/** A cell's text, and how it looks. */
export interface Cell {
  readonly text: string;
  readonly look?: string;
  /** For a time that is told in words: the time itself. */
  readonly title?: string;
  /** For a button that opens something: what, and whether it is open. */
  readonly opens?: { readonly id: string; readonly isOpen: boolean };
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
  /** What the columns are called; a phone shows it next to each cell. */
  readonly #labels: readonly string[];

  constructor(
    private readonly body: HTMLTableSectionElement,
    columns: number,
  ) {
    const headings = body.parentElement?.querySelectorAll('thead th') ?? [];
    this.#labels = [...headings].map(({ textContent }) => textContent ?? '');
    this.#empty = document.createElement('tr');
    const cell = this.#empty.insertCell();
    cell.colSpan = columns;
    cell.className = 'empty';
  }

  /** @param empty said where there are none. Default: what the page says. */
  show(rows: readonly Row[], empty = this.body.dataset['empty'] ?? ''): void {
    const keys = new Set(rows.map(({ key }) => key));
    // First of all: a row that is moved loses the focus.
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue;
      row.remove();
      this.#rows.delete(key);
    }
    let at = this.body.firstElementChild;
    for (const row of rows) {
      const element = this.#element(row);
      if (element === at) at = at.nextElementSibling;
      else this.body.insertBefore(element, at);
    }
    this.#empty.cells[0]!.textContent = empty;
    if (rows.length === 0) this.body.append(this.#empty);
    else this.#empty.remove();
  }

  #element({ key, cells }: Row): HTMLTableRowElement {
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = document.createElement('tr');
      row.append(...cells.map((cell, index) => newCell(index, cell, this.#labels[index] ?? '')));
      this.#rows.set(key, row);
    }
    for (const [index, { text, look = '', title = '', opens }] of cells.entries()) {
      const cell = row.cells[index]!;
      const holder = cell.querySelector('button') ?? cell;
      if (holder.textContent !== text) holder.textContent = text;
      if (opens !== undefined) holder.setAttribute('aria-expanded', String(opens.isOpen));
      if (cell.className !== look) cell.className = look;
      if (cell.title !== title) cell.title = title;
    }
    return row;
  }
}

function newCell(index: number, { opens }: Cell, label: string): HTMLTableCellElement {
  const cell = document.createElement(index === 0 ? 'th' : 'td');
  cell.dataset['label'] = label;
  if (index === 0) cell.scope = 'row';
  if (opens !== undefined) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'open';
    button.dataset['opens'] = opens.id;
    cell.append(button);
  }
  return cell;
}
