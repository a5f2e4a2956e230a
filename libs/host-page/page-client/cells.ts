import type { Cell, Row } from './rows.js';

const LOOKS: Readonly<Record<string, string>> = {
  ready: 'good',
  running: 'good',
  completed: 'good',
  ok: 'good',
  waiting: '',
  paused: 'busy',
  starting: 'busy',
  stopping: 'busy',
  backoff: 'bad',
  ended: 'bad',
  failed: 'bad',
  timeout: 'bad',
  abandoned: 'bad',
  warning: 'busy',
  warn: 'busy',
  fatal: 'bad',
  error: 'bad',
};

/** The rows with a cell that contains the text. */
export function matching(rows: readonly Row[], text: string): readonly Row[] {
  return containing(rows, text, ({ cells }) => cells.map((cell) => cell.text));
}

/** The items of which a text contains what is wanted; case does not matter. */
export function containing<T>(
  items: readonly T[],
  wanted: string,
  textsOf: (item: T) => readonly string[],
): readonly T[] {
  const part = wanted.trim().toLowerCase();
  return items.filter((item) => textsOf(item).some((text) => text.toLowerCase().includes(part)));
}

/** A state or an outcome in the colour that it has everywhere on the page. */
export function word(text: string): Cell {
  return { text, look: lookOf(text) };
}

/** The colour of an outcome; empty for words without one. */
export function lookOf(text: string): string {
  return LOOKS[text] ?? '';
}

/** The exact time, for the title of a cell. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
