import { shownValue } from '@apix/contracts';
import { isRecord, type Option, optionPath, parsedOption } from '@apix/contracts/internal';
import { LEVEL_NAMES, type LevelInput, toLevel } from '../levels/level.js';
import { safely } from '../value/safely.js';
import type { LoggedOutcome } from './level-rules.js';
import type { ReadRequestLevel, RequestLevel } from './request-level.js';

/** Chooses the level of an event by the outcome of its request; undefined leaves it as it is. */
export type ChooseLevel<O> = (outcome: O) => ReadRequestLevel | undefined;

const REQUEST_LEVEL: Option<ReadRequestLevel> = parsedOption(
  (value) => (value === 'off' ? 'off' : toLevel(value as LevelInput)),
  { enum: [...LEVEL_NAMES, 'off'] },
);

/** The names of the outcomes of an entry point. */
export interface OutcomeKeys<O> {
  /** The form of a key, for a mistake, such as `a status, such as 404 or "4xx"`. */
  readonly wanted: string;
  readonly isKey: (key: string) => boolean;
  /** The keys under which an outcome is looked up; the first that the table has is used. */
  readonly keysOf: (outcome: O) => readonly string[];
}

/** The option `levels`: a table of levels by outcome, or a function that chooses. */
export function levelTable<O extends LoggedOutcome>({
  wanted,
  isKey,
  keysOf,
}: OutcomeKeys<O>): Option<ChooseLevel<O>> {
  return {
    schema: undefined,
    read(value, at, mistakes) {
      if (typeof value === 'function') return chosenBy(value as (outcome: O) => RequestLevel);
      if (!isRecord(value)) {
        mistakes.add(at, `must be an object or a function, not ${shownValue(value)}`);
        return undefined;
      }
      const table = new Map<string, ReadRequestLevel>();
      for (const [key, level] of Object.entries(value)) {
        const where = optionPath(at, key);
        if (!isKey(key)) mistakes.add(where, `is not ${wanted}`);
        else if (level !== undefined) {
          const read = REQUEST_LEVEL.read(level, where, mistakes);
          if (read !== undefined) table.set(key, read);
        }
      }
      return (outcome) => {
        const key = keysOf(outcome).find((each) => table.has(each));
        return key === undefined ? undefined : table.get(key);
      };
    },
  };
}

/** The level that the function chooses; undefined if it throws or does not return a level. */
function chosenBy<O>(choose: (outcome: O) => RequestLevel | undefined): ChooseLevel<O> {
  return (outcome) =>
    safely<ReadRequestLevel | undefined, undefined>(
      () => {
        const level = choose(outcome);
        return level === undefined || level === 'off' ? level : toLevel(level);
      },
      () => undefined,
    );
}
