/**
 * The name that was probably meant by a misspelt one, without regard to case: at most a third of its
 * letters (but at least one) may be different, missing, added or swapped. Undefined if no name is close
 * enough.
 */
export function nearestName(misspelt: string, names: Iterable<string>): string | undefined {
  const most = Math.max(1, Math.floor(misspelt.length / 3));
  let nearest: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    const edits = editsBetween(misspelt.toLowerCase(), name.toLowerCase());
    if (edits <= most && edits < (nearest?.edits ?? Infinity)) nearest = { name, edits };
  }
  return nearest?.name;
}

/** Characters to insert, leave out, replace or swap with their neighbour (optimal string alignment). */
function editsBetween(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}
