/** The members of a spec that it need not have. */
const OPTIONAL = ['minLevel', 'maxLevel', 'color', 'layout', 'timeFormat', 'timeFormats'] as const;

type Optional = (typeof OPTIONAL)[number];

/** Those of them that are set. */
export function optionalParts<T extends { readonly [K in Optional]?: unknown }>(
  parts: T,
): SetParts<T> {
  const set = OPTIONAL.flatMap((name) => (parts[name] === undefined ? [] : [[name, parts[name]]]));
  return Object.fromEntries(set) as SetParts<T>;
}

type SetParts<T> = { readonly [K in Optional & keyof T]?: Exclude<T[K], undefined> };

/** The mistake of a layout where it has no effect. */
export const NO_LAYOUT = 'layout applies only to the format console';

/** The mistake of a sink that could get no event. */
export const EMPTY_RANGE = 'maxLevel must not be below the minimum level of the sink';

export function isEmptyRange(min: number | undefined, max: number | undefined): boolean {
  return min !== undefined && max !== undefined && max < min;
}
