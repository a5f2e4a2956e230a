/** A part of a text that is replaced; an insertion where `start` is `end`. Positions in UTF-16 units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits in the order of the text, without duplicates and without edits inside of others. */
export function inOrder(edits: readonly Edit[]): Edit[] {
  const sorted = edits.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const kept: Edit[] = [];
  for (const edit of sorted) {
    const last = kept.at(-1);
    const isWithin = last !== undefined && (edit.start < last.end || isSame(edit, last));
    if (!isWithin) kept.push(edit);
  }
  return kept;
}

/** The text after its edits. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, text: put } of inOrder(edits)) {
    result += text.slice(from, start) + put;
    from = end;
  }
  return result + text.slice(from);
}

function isSame(a: Edit, b: Edit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text;
}
