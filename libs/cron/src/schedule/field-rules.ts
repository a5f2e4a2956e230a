const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** At most, by month. */
export const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** What a field may have. */
export interface FieldRule {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names that may be used instead of numbers, the first one for `min`. */
  readonly names: readonly string[];
}

/** In order. */
export const RULES: readonly FieldRule[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  // Sunday is 0 and 7, as in every cron since Vixie's.
  { name: 'day of week', min: 0, max: 7, names: DAYS },
];
