import { drawSpark, newSpark, type Spark } from './spark.js';

/** A cell's text and style. */
export interface Cell {
  readonly text: string;
  readonly look?: string;
  /** The exact time, for a time in words such as `5m ago`. */
  readonly title?: string;
  /** A small plot before the text. */
  readonly spark?: Spark;
  /** For a cell with a button: the id of what it opens, and whether that is open. */
  readonly opens?: { readonly id: string; readonly isOpen: boolean };
  /** For a cell whose text is a link; a cell may get and lose one. */
  readonly href?: string | undefined;
  /** For a cell with a button: what it asks for, in full words, and whether that is possible now. */
  readonly asks?: { readonly id: string; readonly label: string; readonly isPossible: boolean };
}

export interface Row {
  readonly key: string;
  /** The first is the row's heading. */
  readonly cells: readonly Cell[];
}

/**
 * The rows of a table. Only changed parts are updated, so that an update does not lose the selection, the
 * focus or the scroll position.
 */
export class Rows {
  readonly #rows = new Map<string, HTMLTableRowElement>();
  readonly #empty: HTMLTableRowElement;
  /** The headings of the columns; on a phone they are shown next to each cell. */
  readonly #labels: readonly string[];

  constructor(private readonly body: HTMLTableSectionElement) {
    const headings = body.parentElement?.querySelectorAll('thead th') ?? [];
    this.#labels = [...headings].map(({ textContent }) => textContent ?? '');
    this.#empty = document.createElement('tr');
    const cell = this.#empty.insertCell();
    cell.colSpan = Math.max(1, headings.length);
    cell.className = 'empty';
  }

  /** @param empty shown if there are no rows. Default: the text in the HTML of the page. */
  show(rows: readonly Row[], empty = this.body.dataset['empty'] ?? ''): void {
    const keys = new Set(rows.map(({ key }) => key));
    // Removal comes first, so that the remaining rows need not be moved: a moved row loses the focus.
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
    for (const [index, { text, look = '', title = '', ...held }] of cells.entries()) {
      const cell = row.cells[index]!;
      const { opens, asks, href, spark } = held;
      const holder = holderOf(cell, href);
      if (holder.textContent !== text) holder.textContent = text;
      if (opens !== undefined) holder.setAttribute('aria-expanded', String(opens.isOpen));
      if (spark !== undefined) drawSpark(cell.querySelector('svg')!, spark);
      if (asks !== undefined) holder.setAttribute('aria-disabled', String(!asks.isPossible));
      if (cell.className !== look) cell.className = look;
      if (cell.title !== title) cell.title = title;
    }
    return row;
  }
}

function newCell(index: number, { opens, asks, spark }: Cell, label: string): HTMLTableCellElement {
  const cell = document.createElement(index === 0 ? 'th' : 'td');
  cell.dataset['label'] = label;
  if (index === 0) cell.scope = 'row';
  if (spark !== undefined) {
    newSpark(cell);
    cell.append(document.createElement('span'));
  }
  if (opens !== undefined) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'open';
    button.dataset['opens'] = opens.id;
    cell.append(button);
  }
  if (asks !== undefined) {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset['asks'] = asks.id;
    button.ariaLabel = asks.label;
    cell.append(button);
  }
  return cell;
}

/** What has the text of a cell: its button, its link, the text after its plot, or the cell itself. */
function holderOf(cell: HTMLTableCellElement, href: string | undefined): Element {
  const held = cell.lastElementChild;
  if (href === undefined) {
    if (!(held instanceof HTMLAnchorElement)) return held ?? cell;
    held.remove();
    return cell;
  }
  const link = held ?? document.createElement('a');
  if (link.getAttribute('href') !== href) link.setAttribute('href', href);
  if (held === null) cell.replaceChildren(link);
  return link;
}
