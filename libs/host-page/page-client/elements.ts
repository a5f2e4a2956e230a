import { Rows } from './rows.js';

/** The element with this id, which the HTML of the page has. */
export function byId(id: string): HTMLElement {
  return document.querySelector<HTMLElement>(`#${id}`)!;
}

/** As {@link byId}, for a drawing. */
export function svgOf(id: string): SVGSVGElement {
  return document.querySelector<SVGSVGElement>(`#${id}`)!;
}

/** The rows of the table body with this id. */
export function rowsOf(id: string): Rows {
  return new Rows(byId(id) as HTMLTableSectionElement);
}

/** Calls `open` with the id of what each button in these rows opens, and with the button. */
export function onOpen(body: HTMLElement, open: (id: string, opener: HTMLElement) => void): void {
  body.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-opens]');
    if (button !== null) open(button.dataset['opens']!, button);
  });
}

/** Calls `ask` with the id of each button in these rows that is used while what it asks for is possible. */
export function onAsk(body: HTMLElement, ask: (id: string) => void): void {
  body.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-asks]');
    if (button !== null && button.ariaDisabled !== 'true') ask(button.dataset['asks']!);
  });
}

/** Changes the text only if it differs, because a screen reader announces every change. */
export function say(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
