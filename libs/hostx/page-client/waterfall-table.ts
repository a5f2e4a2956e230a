import { millisecondsText } from './texts.js';
import type { Bar } from './waterfall.js';

const SVG = 'http://www.w3.org/2000/svg';
/** Of a bar, in units of its picture. */
const WIDTH = 1_000;
const LEAST_WIDTH = 4;
/** Further in, spans are not indented more. */
const MOST_DEPTH = 5;

/** The rows of a waterfall. A span keeps its row, and what is open in it, when others are added. */
export class WaterfallTable {
  readonly #rows = new Map<string, HTMLTableRowElement>();

  constructor(private readonly body: HTMLTableSectionElement) {}

  show(bars: readonly Bar[]): void {
    let at = this.body.firstElementChild;
    for (const bar of bars) {
      const row = this.#rowOf(bar);
      if (row === at) at = at.nextElementSibling;
      else this.body.insertBefore(row, at);
      place(row, bar);
    }
  }

  clear(): void {
    this.#rows.clear();
    this.body.replaceChildren();
  }

  #rowOf(bar: Bar): HTMLTableRowElement {
    const known = this.#rows.get(bar.span.id);
    if (known !== undefined) return known;
    const row = newRow(bar);
    this.#rows.set(bar.span.id, row);
    return row;
  }
}

function newRow({ span }: Bar): HTMLTableRowElement {
  const row = document.createElement('tr');
  const heading = document.createElement('th');
  heading.scope = 'row';
  heading.append(details(span));
  const timeline = document.createElement('td');
  timeline.className = 'timeline';
  timeline.append(picture(span.status === 'error'));
  const status = cell(
    span.status === 'unset' ? '' : span.status,
    span.status === 'error' ? 'bad' : '',
  );
  row.append(
    heading,
    timeline,
    cell('', 'number'),
    cell(millisecondsText(span.durationMs), 'number'),
    status,
  );
  return row;
}

/** What moves when another span turns out to have begun earlier, or to last longer. */
function place(row: HTMLTableRowElement, { depth, offsetMs, from, width }: Bar): void {
  row.cells[0]!.className = `depth-${Math.min(depth, MOST_DEPTH)}`;
  row.cells[2]!.textContent = millisecondsText(offsetMs);
  const rect = row.querySelector('rect')!;
  const wide = Math.max(LEAST_WIDTH, width * WIDTH);
  rect.setAttribute('x', `${Math.min(from * WIDTH, WIDTH - wide)}`);
  rect.setAttribute('width', `${wide}`);
}

/** Its name, and on demand what else is known of it; all of it text. */
function details({ name, kind, message, attributes }: Bar['span']): HTMLElement {
  const element = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = name;
  const list = document.createElement('dl');
  const known: readonly (readonly [string, string])[] = [
    ['kind', kind],
    ...(message === null ? [] : [['message', message] as const]),
    ...Object.entries(attributes),
  ];
  for (const [key, value] of known) {
    const term = document.createElement('dt');
    term.textContent = key;
    const description = document.createElement('dd');
    description.textContent = value;
    list.append(term, description);
  }
  element.append(summary, list);
  return element;
}

/** The columns next to it say the same in numbers. */
function picture(isFailed: boolean): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${WIDTH} 10`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  const rect = document.createElementNS(SVG, 'rect');
  rect.setAttribute('y', '2');
  rect.setAttribute('height', '6');
  if (isFailed) rect.setAttribute('class', 'failed');
  svg.append(rect);
  return svg;
}

function cell(text: string, look: string): HTMLTableCellElement {
  const element = document.createElement('td');
  element.textContent = text;
  element.className = look;
  return element;
}
