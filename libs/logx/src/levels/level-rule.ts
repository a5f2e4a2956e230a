import { type Duration, Mistakes, OptionsError, parseDuration } from '@apix/contracts';
import { option, type OptionTable, parsedOption, readOptions } from '@apix/contracts/internal';

/** How long a rule, or a level, applies. */
export interface LevelRuleOptions {
  /** For how long, such as `'15m'`. Default: until it is removed. */
  readonly duration?: Duration | undefined;
  /** Until when; the earlier of both counts. Default: until it is removed. */
  readonly until?: Date | undefined;
}

/** A rule of `levels.for`. */
export interface LevelRule {
  /** Removes it; the loggers then have their own levels again. */
  remove(): void;
}

const LEVEL_RULE_OPTIONS = {
  duration: parsedOption((value) => parseDuration(value as Duration)),
  until: option<Date>('a date', (value) => value instanceof Date && !Number.isNaN(+value)),
} satisfies OptionTable<LevelRuleOptions>;

/** Node's timers cannot wait longer. */
const MAX_DELAY = 2 ** 31 - 1;

/** Removes a rule in time, and never keeps the process alive. */
export function limitedRule(remove: () => void, options: LevelRuleOptions): LevelRule {
  const end = endOf(options);
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const left = end - Date.now();
    if (left <= 0) return remove();
    timer = setTimeout(wait, Math.min(left, MAX_DELAY)).unref();
  };
  if (end !== Infinity) wait();
  return {
    remove() {
      clearTimeout(timer);
      remove();
    },
  };
}

/**
 * @param method of the levels, for the message.
 * @throws OptionsError with every wrong option.
 */
export function checkedRuleOptions(
  method: 'for' | 'set',
  options: LevelRuleOptions,
): LevelRuleOptions {
  const mistakes = new Mistakes();
  const read = readOptions(LEVEL_RULE_OPTIONS, options, '', mistakes);
  mistakes.throwIfAny((found) => new OptionsError(`logx: levels.${method}`, found));
  return read;
}

/** When a rule ends, in milliseconds since the epoch; Infinity: never. */
export function endOf({ duration = Infinity, until }: LevelRuleOptions): number {
  return Math.min(Date.now() + Number(duration), until === undefined ? Infinity : +until);
}
