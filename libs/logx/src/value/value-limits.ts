import { Mistakes, shownValue } from '@apix/contracts';

/** How much of a value is logged; what lies beyond is cut, and says so. */
export interface ValueLimits {
  /** Objects and arrays inside each other. Default: 10. */
  readonly depth?: number | undefined;
  /** Members of objects and items of arrays, counted over the whole value. Default: 10,000. */
  readonly items?: number | undefined;
  /** UTF-16 units of a text. Default: no limit. */
  readonly text?: number | undefined;
}

export interface ResolvedLimits {
  readonly depth: number;
  readonly items: number;
  readonly text: number;
}

export function resolveLimits(
  limits: ValueLimits = {},
  mistakes: Mistakes = new Mistakes(),
): ResolvedLimits {
  const { depth = 10, items = 10_000, text = Infinity } = limits;
  for (const [name, limit] of Object.entries({ depth, items, text })) {
    if (limit >= 0 && typeof limit === 'number') continue;
    mistakes.add(`limits.${name}`, `must be a number of at least 0, not ${shownValue(limit)}`);
  }
  return { depth, items, text };
}
