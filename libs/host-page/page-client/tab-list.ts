import { hashOf } from './tab-route.js';

/** The keys that move to another tab: to which, of so many. */
const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowLeft: (at, count) => (at + count - 1) % count,
  ArrowRight: (at, count) => (at + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * The row of tabs (WAI-ARIA, tabs pattern, with automatic activation). A tab is opened by the fragment of the
 * address; the back button leads to the tab before.
 */
export class TabList {
  readonly #buttons = new Map<string, HTMLButtonElement>();
  readonly #list: HTMLElement;
  /** The tabs that were shown last, the open one first. */
  #shown = '';

  constructor(list: HTMLElement, tabs: readonly { readonly id: string; readonly title: string }[]) {
    for (const { id, title } of tabs) {
      const button = document.createElement('button');
      button.type = 'button';
      button.id = `tab-${id}`;
      button.textContent = title;
      button.hidden = true;
      button.setAttribute('role', 'tab');
      button.setAttribute('aria-controls', `panel-${id}`);
      button.addEventListener('click', () => {
        location.hash = hashOf(id);
      });
      this.#buttons.set(id, button);
    }
    this.#list = list;
    list.append(...this.#buttons.values());
    list.addEventListener('keydown', (event) => this.#move(event));
  }

  /** Shows which tabs there are, and which of them is open. */
  show(open: string, present: readonly string[]): void {
    for (const [id, button] of this.#buttons) {
      const isOpen = id === open;
      button.hidden = !isOpen && !present.includes(id);
      button.setAttribute('aria-selected', String(isOpen));
      button.tabIndex = isOpen ? 0 : -1;
    }
    const shown = [open, ...present].join();
    if (shown !== this.#shown) this.#bringIntoRow(this.#buttons.get(open));
    this.#shown = shown;
  }

  /** Scrolls the row, which is longer than the screen of a phone, and not the page. */
  #bringIntoRow(button: HTMLButtonElement | undefined): void {
    if (button === undefined) return;
    const { left, right } = this.#list.getBoundingClientRect();
    const place = button.getBoundingClientRect();
    // A browser scrolls by whole pixels.
    const [over, under] = [Math.ceil(place.right - right), Math.floor(place.left - left)];
    this.#list.scrollLeft += Math.max(0, over) + Math.min(0, under);
  }

  #move(event: KeyboardEvent): void {
    const move = MOVES[event.key];
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const shown = [...this.#buttons].filter(([, button]) => !button.hidden);
    const at = shown.findIndex(([, button]) => button === event.target);
    const [id, button] = shown[move(at, shown.length)]!;
    event.preventDefault();
    button.focus();
    // The way along the tabs is not worth an entry in the history for each.
    location.replace(hashOf(id));
  }
}
