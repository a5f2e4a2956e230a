import { limit, type OptionTable } from '@apix/contracts/internal';

/** How much of a value is logged; the rest is cut and replaced by a note. */
export interface ValueLimits {
  /** Depth of nested objects and arrays. Default: 10. */
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

/** The allowed values of each limit. */
export const LIMIT_OPTIONS = {
  depth: limit(),
  items: limit(),
  text: limit(),
} satisfies OptionTable<ValueLimits>;

/** The limits with all defaults. */
export function resolveLimits({
  depth = 10,
  items = 10_000,
  text = Infinity,
}: ValueLimits = {}): ResolvedLimits {
  return { depth, items, text };
}
