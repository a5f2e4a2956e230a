import { drawMarks, type Mark, MARKS, type Window } from './plot-marks.js';
import { type Box, points, roundUp } from './plot-scale.js';
import { draw, place } from './svg.js';

/** In pixels. A plot is drawn for its actual width, so that its texts have the same size everywhere. */
const PLACE = { top: 10, height: 146, baseline: 174, gap: 6, edge: 8 };
/** Positions of grid lines and value labels, as shares of the height. */
const SHARES = [1, 0.5, 0];

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

/** Draws values over time as lines into an SVG element, and a legend with the current values. */
export class Plot {
  readonly #grid: SVGLineElement[] = [];
  readonly #lines: SVGPolylineElement[] = [];
  readonly #labels: SVGTextElement[] = [];
  readonly #ago: SVGTextElement;
  readonly #now: SVGTextElement;
  readonly #marks: SVGGElement;
  readonly #values: HTMLElement[] = [];
  #shown: Parameters<Plot['show']> | null = null;

  constructor(
    private readonly svg: SVGSVGElement,
    legend: HTMLElement,
    private readonly name: string,
    private readonly series: readonly string[],
    private readonly text: (value: number) => string,
  ) {
    for (const share of SHARES) {
      const y = PLACE.top + PLACE.height * (1 - share);
      this.#grid.push(draw(svg, 'line', { class: 'grid', y1: y, y2: y }));
      this.#labels.push(draw(svg, 'text', { y: y + 4, 'text-anchor': 'end' }));
    }
    this.#marks = draw(svg, 'g', {});
    this.#ago = draw(svg, 'text', { y: PLACE.baseline });
    this.#now = draw(svg, 'text', { y: PLACE.baseline, 'text-anchor': 'end' });
    for (const [index, name] of series.entries()) {
      const look = `series series-${index}`;
      this.#lines.push(draw(svg, 'polyline', { class: look }));
      this.#values.push(entry(legend, look, name));
    }
    for (const [mark, name] of Object.entries(MARKS)) entry(legend, `mark mark-${mark}`, name);
    svg.setAttribute('aria-label', name);
    new ResizeObserver(() => {
      if (this.#shown !== null) this.show(...this.#shown);
    }).observe(svg);
  }

  show(values: readonly (readonly number[])[], window: Window, marks: readonly Mark[]): void {
    this.#shown = [values, window, marks];
    const top = roundUp(Math.max(0, ...values.flat()));
    for (const [index, share] of SHARES.entries()) {
      this.#labels[index]!.textContent = this.text(top * share);
    }
    const box = this.#box();
    this.#ago.textContent = window.ago;
    this.#now.textContent = 'now';
    const said: string[] = [];
    for (const [index, line] of values.entries()) {
      this.#lines[index]!.setAttribute('points', points(line, window.capacity, top, box));
      const now = this.text(line.at(-1) ?? 0);
      this.#values[index]!.textContent = now;
      said.push(`${this.series[index]!} ${now}, at most ${this.text(Math.max(0, ...line))}`);
    }
    const seen = drawMarks(this.#marks, window, marks, box);
    const happened = seen === 0 ? '' : `; ${seen} marked`;
    this.svg.setAttribute('aria-label', `${this.name}: ${said.join('; ')}${happened}`);
  }

  /** The box takes the width that the labels leave. */
  #box(): Box {
    const widest = Math.max(...this.#labels.map((label) => label.getComputedTextLength()));
    const left = Math.ceil(widest) + PLACE.gap;
    const width = Math.max(1, this.svg.clientWidth - left - PLACE.edge);
    for (const label of this.#labels) place(label, { x: left - PLACE.gap });
    for (const line of this.#grid) place(line, { x1: left, x2: left + width });
    place(this.#ago, { x: left });
    place(this.#now, { x: left + width });
    return { left, top: PLACE.top, width, height: PLACE.height };
  }
}

/** Adds an entry to a legend; returns the element for its value. */
function entry(legend: HTMLElement, look: string, name: string): HTMLElement {
  const item = document.createElement('span');
  const key = draw(item, 'svg', { viewBox: '0 0 28 8', 'aria-hidden': 'true' });
  draw(key, 'line', { class: look, x1: 0, x2: 28, y1: 4, y2: 4 });
  const value = document.createElement('strong');
  item.append(`${name} `, value);
  legend.append(item);
  return value;
}
