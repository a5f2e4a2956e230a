import { shownValue } from '@apix/contracts';
import { type Level, type LevelInput, toLevel } from './level.js';
import {
  checkedRuleOptions,
  type LevelRule,
  type LevelRuleOptions,
  limitedRule,
} from './level-rule.js';
import { loggerNameProblem, NamedLevels } from './named-levels.js';
import { ALL_LOGGERS, type TimedLevel, TimedLevels } from './timed-levels.js';
import { type LevelPredicate, type LeveledUnit, WorkLevels } from './work-levels.js';

/** The settings that may change the level of a logger, innermost first. */
export interface LevelPath {
  /** Set by `withLevel`. */
  readonly level?: Level;
  /** Set by `named`, or by a field `logger`. */
  readonly name?: string;
  readonly outer: LevelPath | undefined;
}

/** The levels of all loggers of a tree, which may be changed while they are used. */
export interface Levels {
  /**
   * Sets the minimum level of all loggers, or of those with this name (see `named`), those whose name
   * continues it after a dot, and their children. The longest name applies; a logger's `withLevel` takes
   * precedence over all. With options it applies for a while, and what is set otherwise, also meanwhile, applies
   * again after it: `levels.set('debug', 'orders', { duration: '15m' })`.
   *
   * @throws RangeError for an unknown level, and for a name that is empty or contains `*`; OptionsError with every
   *   wrong option.
   */
  set(level: LevelInput, name?: string, options?: LevelRuleOptions): void;
  /**
   * Removes the level of a name; one of the options or the configuration document applies again. Without a name
   * the level of all loggers that was set for a while.
   */
  reset(name?: string): void;
  /**
   * Adds a rule for the level of all loggers in the work that `predicate` chooses, such as the requests of
   * one customer: `levels.for(({ fields }) => (fields['customer'] === 'c-17' ? 'debug' : undefined))`. It takes
   * precedence over every other level, also of `withLevel`, but not over the minimum level of a sink. Of several
   * rules, the lowest level counts. The predicate is called once for each piece of work, at its first event,
   * and again when fields are added to the work or rules change. If it throws or returns no level, the level
   * stays as it is.
   *
   * @throws OptionsError with every wrong option, TypeError if `predicate` is not a function.
   */
  for(predicate: LevelPredicate, options?: LevelRuleOptions): LevelRule;
}

/**
 * The levels of all loggers of a tree, which may change while they are used. Loggers cache their level
 * together with the tree's `version`, and compute it again when that has changed.
 */
export class LevelTree implements Levels {
  version = 0;
  /** Whether the level of an event does not depend on the work in which it is logged. */
  isPlain = true;
  readonly #rules = new WorkLevels();
  readonly #timed = new TimedLevels(() => void this.version++);
  readonly #byName = new NamedLevels(this.#timed.byName);

  constructor(
    private level: Level,
    /** The lowest minimum level of the sinks. */
    private floor: number,
    levels: Readonly<Record<string, Level>> = {},
    /** Whether events below the level are kept until it is known how their work ends. */
    readonly keepsEvents = false,
  ) {
    this.#byName.configure(levels);
    this.isPlain = !keepsEvents;
  }

  /** Sets the level of all loggers, and replaces the levels by name that were not set by `set`. */
  configure(level: Level, levels: Readonly<Record<string, Level>>): void {
    this.level = level;
    this.#byName.configure(levels);
    this.version++;
  }

  /** The level below which a logger with this path logs nothing. */
  minimum(path: LevelPath | undefined): number {
    return Math.max(this.#levelOf(path), this.floor);
  }

  get hasRules(): boolean {
    return !this.#rules.isEmpty;
  }

  /** The same within a unit of work. */
  minimumIn(unit: LeveledUnit | undefined, minimum: number): number {
    if (unit === undefined) return minimum;
    const level = this.#rules.levelOf(unit);
    return level === undefined ? minimum : Math.max(level, this.floor);
  }

  /** Whether any sink takes events of this level. */
  isTaken(level: Level): boolean {
    return level >= this.floor;
  }

  for(predicate: LevelPredicate, options: LevelRuleOptions = {}): LevelRule {
    if (typeof predicate !== 'function') {
      throw new TypeError('logx: levels.for: the predicate must be a function');
    }
    const checked = checkedRuleOptions('for', options);
    const remove = this.#rules.add(predicate);
    this.#rulesChanged();
    return limitedRule(() => {
      remove();
      this.#rulesChanged();
    }, checked);
  }

  #rulesChanged(): void {
    this.isPlain = this.#rules.isEmpty && !this.keepsEvents;
  }

  /** The levels that are set for a while, by name; that of all loggers under an empty one. */
  get timed(): ReadonlyMap<string, TimedLevel> {
    return this.#timed.byName;
  }

  set(input: LevelInput, name?: string, options?: LevelRuleOptions): void {
    const level = toLevel(input);
    const problem = name === undefined ? null : loggerNameProblem(name);
    if (problem !== null) throw new RangeError(`logx: the name ${shownValue(name)} ${problem}`);
    const limits = options && checkedRuleOptions('set', options);
    const key = name ?? ALL_LOGGERS;
    this.#timed.end(key);
    if (limits !== undefined) {
      this.#byName.reach(key);
      this.#timed.set(key, level, limits);
    } else if (name === undefined) this.level = level;
    else this.#byName.set(name, level);
    this.version++;
  }

  reset(name?: string): void {
    this.#timed.end(name ?? ALL_LOGGERS);
    if (name !== undefined) this.#byName.reset(name);
    this.version++;
  }

  /** Whether a level was set for this name, or one above it: by an option, a document or code. */
  hasLevelOf(name: string): boolean {
    return this.#byName.find(name) !== undefined;
  }

  /** Turns all logging off. */
  silence(): void {
    this.floor = Infinity;
    this.version++;
  }

  #levelOf(path: LevelPath | undefined): Level {
    for (let at = path; at !== undefined; at = at.outer) {
      const level = at.level ?? (at.name === undefined ? undefined : this.#byName.find(at.name));
      if (level !== undefined) return level;
    }
    return this.#timed.byName.get(ALL_LOGGERS)?.level ?? this.level;
  }
}

/** Whether the level of an event depends on the work in which it is logged. */
export function dependsOnWork(levels: Levels): boolean {
  return levels instanceof LevelTree && !levels.isPlain;
}

/** Whether events below the level are kept until their work has ended. */
export function keepsEvents(levels: Levels): boolean {
  return levels instanceof LevelTree && levels.keepsEvents;
}
