import { type Box, placeOf } from './plot-scale.js';
import { draw } from './svg.js';

/** What is marked, in words. */
export const MARKS = {
  restart: 'service restart',
  reload: 'reload',
  start: 'host start',
  drain: 'host stop',
} as const;

/** An event that is drawn as a line across the plot. */
export interface Mark {
  readonly at: number;
  readonly look: keyof typeof MARKS;
  readonly text: string;
}

/** The time range of a plot. */
export interface Window {
  /** How many values fill the plot. */
  readonly capacity: number;
  /** How far back the left edge is, in milliseconds; `ago` is the text for it. */
  readonly spanMs: number;
  readonly ago: string;
  /** When the newest value was taken. */
  readonly newest: number;
}

/** Draws a line for each mark in the range, but only one per kind and position; returns their number. */
export function drawMarks(
  parent: Element,
  { newest, spanMs }: Pick<Window, 'newest' | 'spanMs'>,
  marks: readonly Mark[],
  box: Box,
): number {
  parent.replaceChildren();
  const taken = new Set<string>();
  for (const { at, look, text } of marks) {
    const x = placeOf(at, newest, spanMs, box);
    const spot = `${look} ${Math.round(x ?? 0)}`;
    if (x === undefined || taken.has(spot)) continue;
    taken.add(spot);
    const ends = { x1: x, x2: x, y1: box.top, y2: box.top + box.height };
    const line = draw(parent, 'line', { class: `mark mark-${look}`, ...ends });
    draw(line, 'title', {}).textContent = text;
  }
  return parent.childElementCount;
}
