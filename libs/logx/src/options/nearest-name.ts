/**
 * The known name that a misspelt one most likely means: at most a third of its letters are other
 * ones, missing, added or swapped, or one is a part of the other. Undefined where none is near.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const given = name.toLowerCase();
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(given.length / 3));
  for (const candidate of known) {
    const distance = editsBetween(given, candidate.toLowerCase());
    if (distance < least || (distance === least && nearest === undefined)) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest ?? known.find((candidate) => isPart(given, candidate.toLowerCase()));
}

/** Shorter texts are parts of too many others. */
const MIN_PART = 4;

function isPart(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= MIN_PART && (a.includes(b) || b.includes(a));
}

/** Optimal string alignment: letters changed, added, left out, or swapped with the next. */
function editsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(changed, last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, beforeLast[j - 2]! + 1);
      }
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
