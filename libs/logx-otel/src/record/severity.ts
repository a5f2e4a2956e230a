import { Level } from '@apix/logx/core';

export interface Severity {
  readonly number: number;
  readonly text: string;
}

/** The severity numbers of the logs data model: the lowest of each range. */
const SEVERITIES: Readonly<Record<Level, Severity>> = {
  [Level.Verbose]: { number: 1, text: 'TRACE' },
  [Level.Debug]: { number: 5, text: 'DEBUG' },
  [Level.Information]: { number: 9, text: 'INFO' },
  [Level.Warning]: { number: 13, text: 'WARN' },
  [Level.Error]: { number: 17, text: 'ERROR' },
  [Level.Fatal]: { number: 21, text: 'FATAL' },
};

export function severityOf(level: Level): Severity {
  return SEVERITIES[level];
}

/** Whether the level of a record is fatal or above, so that no queue limit applies to it. */
// Why: docs/decisions/0246
export function isFatal({
  severityNumber,
}: {
  readonly severityNumber?: number | undefined;
}): boolean {
  return severityNumber !== undefined && severityNumber >= SEVERITIES[Level.Fatal].number;
}
