import { millisecondsText } from '../../texts.js';
import type { Bar } from './waterfall.js';

const SVG = 'http://www.w3.org/2000/svg';
/** Width of the drawing that contains a bar, in units of its view box. */
const WIDTH = 1_000;
const LEAST_WIDTH = 4;
/** Spans at a greater depth are not indented further. */
const MOST_DEPTH = 5;

/** The rows of a waterfall. When spans are added, existing spans keep their rows, with their open details. */
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

/** Sets the parts of a row that change when a span is added that starts earlier or ends later. */
function place(row: HTMLTableRowElement, { depth, offsetMs, from, width }: Bar): void {
  row.cells[0]!.className = `depth-${Math.min(depth, MOST_DEPTH)}`;
  row.cells[2]!.textContent = millisecondsText(offsetMs);
  const rect = row.querySelector('rect')!;
  const wide = Math.max(LEAST_WIDTH, width * WIDTH);
  rect.setAttribute('x', `${Math.min(from * WIDTH, WIDTH - wide)}`);
  rect.setAttribute('width', `${wide}`);
}

/** The name of a span and, when opened, its other data; everything is set as text, never as HTML. */
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

/** Hidden from screen readers, because the columns next to it have the same data as numbers. */
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
