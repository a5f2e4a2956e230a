/** Chance that can be had again: a function from 0 up to 1, by a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Range {
  readonly min: number;
  readonly max: number;
  /** Of the values, from `min` on. */
  readonly names?: readonly string[];
}

const RANGES: readonly Range[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: 'jan feb MAR apr may jun JUL aug sep Oct nov dec'.split(' ') },
  { min: 0, max: 7, names: 'sun mon TUE wed thu Fri sat sun'.split(' ') },
];

/** Any expression of five fields that the grammar knows; not all of them can happen. */
export function randomExpression(random: () => number): string {
  const int = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const item = ({ min, max, names }: Range): string => {
    const low = int(min, max);
    const high = int(low, max);
    const step = int(1, Math.max(1, Math.ceil((max - min) / 2)));
    const named = names?.[low - min] ?? `${low}`;
    const kinds = ['*', `*/${step}`, `${low}`, `${low}`, named, `${low}-${high}`];
    return [...kinds, `${low}-${high}/${step}`][int(0, kinds.length)]!;
  };
  return RANGES.map((range) => {
    const chance = random();
    if (chance < 0.35) return '*';
    const count = chance < 0.8 ? 1 : int(2, 3);
    return Array.from({ length: count }, () => item(range)).join(',');
  }).join(' ');
}
