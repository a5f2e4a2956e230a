import { drawMarks, type Mark, type Window } from './plot-marks.js';
import { bars, roundUp } from './plot-scale.js';
import { draw, place } from './svg.js';

/** In pixels; a small plot has the same size everywhere. */
const BOX = { left: 0, top: 1, width: 120, height: 24 };

/** A small plot in a cell: bars over time, without axes. */
export interface Spark {
  /** In what colour; of several bars in one place, the last is in front. */
  readonly bars: readonly { readonly look: string; readonly values: readonly number[] }[];
  readonly window: Pick<Window, 'capacity' | 'spanMs' | 'newest'>;
  readonly marks: readonly Mark[];
  /** What it shows, in words. */
  readonly label: string;
}

/** Adds an empty small plot to a cell. */
export function newSpark(cell: Element): void {
  const svg = draw(cell, 'svg', { class: 'spark', role: 'img' });
  place(svg, { viewBox: `0 0 ${BOX.width} ${BOX.top + BOX.height}` });
}

/** Draws a small plot anew. */
export function drawSpark(svg: SVGSVGElement, { bars: all, window, marks, label }: Spark): void {
  svg.replaceChildren();
  const top = roundUp(Math.max(0, ...all.flatMap(({ values }) => values)));
  for (const { look, values } of all) {
    draw(svg, 'path', { class: `bars ${look}`, d: bars(values, window.capacity, top, BOX) });
  }
  const seen = drawMarks(draw(svg, 'g', {}), window, marks, BOX);
  place(svg, { 'aria-label': seen === 0 ? label : `${label}; ${seen} marked` });
}
