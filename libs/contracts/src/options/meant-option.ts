import { nearestName } from '../nearest-name.js';

/** Shorter names are contained in too many others. */
const MIN_PART = 4;

/** The known option that an unknown one most likely means: the most similar, or one that contains it or is contained in it. */
export function meantOption(name: string, known: readonly string[]): string | undefined {
  return nearestName(name, known) ?? known.find((candidate) => isPart(name, candidate));
}

function isPart(name: string, other: string): boolean {
  const [a, b] = [name.toLowerCase(), other.toLowerCase()];
  return Math.min(a.length, b.length) >= MIN_PART && (a.includes(b) || b.includes(a));
}
