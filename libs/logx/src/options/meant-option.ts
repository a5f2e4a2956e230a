import { nearestName } from '@apix/contracts';

/** Shorter texts are parts of too many others. */
const MIN_PART = 4;

/** The option that an unknown one most likely means: the nearest, or one of which either is a part. */
export function meantOption(name: string, known: readonly string[]): string | undefined {
  return nearestName(name, known) ?? known.find((candidate) => isPart(name, candidate));
}

function isPart(name: string, other: string): boolean {
  const [a, b] = [name.toLowerCase(), other.toLowerCase()];
  return Math.min(a.length, b.length) >= MIN_PART && (a.includes(b) || b.includes(a));
}
