import { type Box, placeOf, points, roundUp } from './plot-scale.js';

const SVG = 'http://www.w3.org/2000/svg';
const BOX: Box = { left: 72, top: 10, width: 520, height: 146 };
const BASELINE = 174;

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

const MARKS = ['restart', 'reload', 'phase'] as const;

/** Something that happened, as a line across the plot. */
export interface Mark {
  readonly at: number;
  readonly look: (typeof MARKS)[number];
  readonly text: string;
}

/** What a plot shows of time. */
export interface Window {
  /** How many values fill it. */
  readonly capacity: number;
  /** How far back the left edge is, in milliseconds, and for people. */
  readonly spanMs: number;
  readonly ago: string;
  /** When the newest value was taken. */
  readonly newest: number;
}

/** Draws lines over time into an SVG element, and a legend with the present values. */
export class Plot {
  readonly #lines: SVGPolylineElement[] = [];
  readonly #labels: SVGTextElement[] = [];
  readonly #ago: SVGTextElement;
  readonly #marks: SVGGElement;
  readonly #values: HTMLElement[] = [];

  constructor(
    private readonly svg: SVGSVGElement,
    legend: HTMLElement,
    private readonly name: string,
    private readonly series: readonly string[],
    private readonly text: (value: number) => string,
  ) {
    for (const share of [1, 0.5, 0]) {
      const y = BOX.top + BOX.height * (1 - share);
      draw(svg, 'line', { class: 'grid', x1: BOX.left, x2: BOX.left + BOX.width, y1: y, y2: y });
      const at = { x: BOX.left - 6, y: y + 4, 'text-anchor': 'end' };
      this.#labels.push(draw(svg, 'text', at));
    }
    this.#marks = draw(svg, 'g', {});
    this.#ago = draw(svg, 'text', { x: BOX.left, y: BASELINE });
    draw(svg, 'text', { x: BOX.left + BOX.width, y: BASELINE, 'text-anchor': 'end' }).textContent =
      'now';
    for (const [index, name] of series.entries()) {
      const look = `series series-${index}`;
      this.#lines.push(draw(svg, 'polyline', { class: look }));
      this.#values.push(entry(legend, look, name));
    }
    for (const mark of MARKS) entry(legend, `mark mark-${mark}`, mark);
  }

  show(values: readonly (readonly number[])[], window: Window, marks: readonly Mark[]): void {
    const { capacity, ago } = window;
    const top = roundUp(Math.max(0, ...values.flat()));
    for (const [index, share] of [1, 0.5, 0].entries()) {
      this.#labels[index]!.textContent = this.text(top * share);
    }
    this.#ago.textContent = ago;
    const said: string[] = [];
    for (const [index, line] of values.entries()) {
      this.#lines[index]!.setAttribute('points', points(line, capacity, top, BOX));
      const now = this.text(line.at(-1) ?? 0);
      this.#values[index]!.textContent = now;
      said.push(`${this.series[index]!} ${now}, at most ${this.text(Math.max(0, ...line))}`);
    }
    const seen = this.#mark(window, marks);
    const happened = seen === 0 ? '' : `; ${seen} marked`;
    this.svg.setAttribute('aria-label', `${this.name}: ${said.join('; ')}${happened}`);
  }

  /** Draws a line for each that is not too long ago; returns for how many. */
  #mark({ newest, spanMs }: Window, marks: readonly Mark[]): number {
    this.#marks.replaceChildren();
    for (const { at, look, text } of marks) {
      const x = placeOf(at, newest, spanMs, BOX);
      if (x === undefined) continue;
      const place = { x1: x, x2: x, y1: BOX.top, y2: BOX.top + BOX.height };
      const line = draw(this.#marks, 'line', { class: `mark mark-${look}`, ...place });
      draw(line, 'title', {}).textContent = text;
    }
    return this.#marks.childElementCount;
  }
}

/** One line of a legend; returns where its value goes. */
function entry(legend: HTMLElement, look: string, name: string): HTMLElement {
  const item = document.createElement('span');
  const key = draw(item, 'svg', { viewBox: '0 0 28 8', 'aria-hidden': 'true' });
  draw(key, 'line', { class: look, x1: 0, x2: 28, y1: 4, y2: 4 });
  const value = document.createElement('strong');
  item.append(`${name} `, value);
  legend.append(item);
  return value;
}

function draw<K extends keyof SVGElementTagNameMap>(
  parent: Element,
  tag: K,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
  parent.append(element);
  return element;
}
