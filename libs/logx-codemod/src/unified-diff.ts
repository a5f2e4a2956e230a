import { type Edit, edited, inOrder } from './edit.js';

/** Lines around a change. */
const CONTEXT = 3;

/** Whole lines that are replaced: from `first` up to `end`, counted from 0. */
interface Change {
  readonly first: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** The edits as a unified diff with three lines of context; empty without edits. */
export function unifiedDiff(path: string, text: string, edits: readonly Edit[]): string {
  const lines = linesOf(text);
  const hunks = hunksOf(changesOf(text, lines, edits));
  if (hunks.length === 0) return '';
  let moved = 0;
  const shown = hunks.map((changes) => {
    const from = Math.max(0, changes[0]!.first - CONTEXT);
    const to = Math.min(lines.length, changes.at(-1)!.end + CONTEXT);
    const body: string[] = [];
    let at = from;
    let grown = 0;
    for (const { first, end, lines: put } of changes) {
      body.push(...lines.slice(at, first).map((line) => marked(' ', line)));
      body.push(...lines.slice(first, end).map((line) => marked('-', line)));
      body.push(...put.map((line) => marked('+', line)));
      grown += put.length - (end - first);
      at = end;
    }
    body.push(...lines.slice(at, to).map((line) => marked(' ', line)));
    const head = `@@ -${from + 1},${to - from} +${from + 1 + moved},${to - from + grown} @@\n`;
    moved += grown;
    return head + body.join('');
  });
  const name = path.replace(/^\/+/, '');
  return `--- a/${name}\n+++ b/${name}\n${shown.join('')}`;
}

/** Lines with their line endings, so that a change of these is visible. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(sign: string, line: string): string {
  return line.endsWith('\n')
    ? `${sign}${line.replace(/\r?\n$/, '')}\n`
    : `${sign}${line}\n\\ No newline at end of file\n`;
}

function changesOf(text: string, lines: readonly string[], edits: readonly Edit[]): Change[] {
  const starts = startsOf(lines);
  const groups: { first: number; end: number; edits: Edit[] }[] = [];
  for (const edit of inOrder(edits)) {
    const first = lineAt(starts, edit.start);
    // An edit that ends where a line begins leaves that line alone, unless it joins it to its own.
    const end = lineAt(starts, edit.end) + 1;
    const last = groups.at(-1);
    if (last !== undefined && first < last.end) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else {
      groups.push({ first, end, edits: [edit] });
    }
  }
  return groups.flatMap((group) => {
    const from = starts[group.first]!;
    const old = text.slice(from, starts[group.end] ?? text.length);
    const local = group.edits.map((it) => ({
      start: it.start - from,
      end: it.end - from,
      text: it.text,
    }));
    return trimmed(group.first, linesOf(old), linesOf(edited(old, local)));
  });
}

/** Removes unchanged lines at both ends. */
function trimmed(first: number, old: readonly string[], put: readonly string[]): Change[] {
  let head = 0;
  while (head < old.length && head < put.length && old[head] === put[head]) head += 1;
  let tail = 0;
  while (
    tail < Math.min(old.length, put.length) - head &&
    old[old.length - 1 - tail] === put[put.length - 1 - tail]
  ) {
    tail += 1;
  }
  const end = first + old.length - tail;
  const lines = put.slice(head, put.length - tail);
  return first + head === end && lines.length === 0 ? [] : [{ first: first + head, end, lines }];
}

/** Groups changes whose contexts touch or overlap. */
function hunksOf(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1);
    if (last !== undefined && change.first - last.at(-1)!.end <= 2 * CONTEXT) last.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function startsOf(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length;
    return start;
  });
}

function lineAt(starts: readonly number[], position: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
