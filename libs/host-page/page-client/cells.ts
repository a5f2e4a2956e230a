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

/** The rows with a cell that contains the text; case does not matter. */
export function matching(rows: readonly Row[], text: string): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(({ cells }) => cells.some((cell) => cell.text.toLowerCase().includes(wanted)));
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
