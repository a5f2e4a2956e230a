import type { LogRecordLevel } from '@apix/contracts';

/** The levels of events, the lowest first. */
export const LOG_LEVELS: readonly LogRecordLevel[] = [
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
];
