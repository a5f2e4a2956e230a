import type { Level } from './level.js';
import { endOf, type LevelRule, type LevelRuleOptions, limitedRule } from './level-rule.js';

/** The name under which the level of all loggers is kept. */
export const ALL_LOGGERS = '';

/** A level that applies for a while. */
export interface TimedLevel {
  readonly level: Level;
  /** When it ends, in milliseconds since the epoch; Infinity: when it is removed. */
  readonly until: number;
}

/** Levels by name that are set for a while. What they hide stays as it is, and applies again after them. */
export class TimedLevels {
  readonly #levels = new Map<string, TimedLevel & { rule: LevelRule }>();

  /** @param onEnd called after one has ended. */
  constructor(private readonly onEnd: () => void) {}

  get byName(): ReadonlyMap<string, TimedLevel> {
    return this.#levels;
  }

  /** Replaces the one of this name. */
  set(name: string, level: Level, options: LevelRuleOptions): void {
    this.end(name);
    const entry = { level, until: endOf(options), rule: NO_RULE };
    this.#levels.set(name, entry);
    entry.rule = limitedRule(() => {
      this.#levels.delete(name);
      this.onEnd();
    }, options);
  }

  end(name: string): void {
    this.#levels.get(name)?.rule.remove();
  }
}

/** While a rule is made, whose time may be over at once. */
const NO_RULE: LevelRule = { remove: () => {} };
