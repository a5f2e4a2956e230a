import { shownValue } from '@apix/contracts';

/**
 * The severity of an event, in ascending order. The numbers are those of pino, so that pino streams
 * and transports understand them.
 */
export const Level = {
  Verbose: 10,
  Debug: 20,
  Information: 30,
  Warning: 40,
  Error: 50,
  Fatal: 60,
} as const;

export type Level = (typeof Level)[keyof typeof Level];

/** The value of an event's `level` in JSON. */
export type LevelName = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** A level, by value or by one of its names; without type checking, in any letter case. */
export type LevelInput = Level | LevelName | 'verbose' | 'information' | 'warning';

const NAMES: Readonly<Record<Level, LevelName>> = {
  [Level.Verbose]: 'trace',
  [Level.Debug]: 'debug',
  [Level.Information]: 'info',
  [Level.Warning]: 'warn',
  [Level.Error]: 'error',
  [Level.Fatal]: 'fatal',
};

/** Every level, in ascending order. */
export const LEVELS: readonly Level[] = Object.values(Level);

const BY_NAME: ReadonlyMap<string, Level> = new Map<string, Level>([
  ...LEVELS.map((level) => [NAMES[level], level] as const),
  ['verbose', Level.Verbose],
  ['information', Level.Information],
  ['warning', Level.Warning],
]);

/** Every name of a level. */
export const LEVEL_NAMES: readonly string[] = [...BY_NAME.keys()];

/** The level's name in events: verbose is `trace`, information `info`, warning `warn`. */
export function levelName(level: Level): LevelName {
  return NAMES[level];
}

export function isLevel(value: unknown): value is Level {
  return LEVELS.includes(value as Level);
}

/** @throws RangeError for anything that is not a level. */
export function toLevel(level: LevelInput): Level {
  return isLevel(level) ? level : parseLevel(level);
}

/**
 * Reads `verbose` or `trace`, `debug`, `information` or `info`, `warning` or `warn`, `error`,
 * `fatal`, in any case.
 *
 * @throws RangeError for every other name.
 */
export function parseLevel(name: string): Level {
  const level = typeof name === 'string' ? BY_NAME.get(name.toLowerCase()) : undefined;
  if (level !== undefined) return level;
  throw new RangeError(
    `logx: unknown level ${shownValue(name)}; use one of ${LEVEL_NAMES.join(', ')}`,
  );
}
