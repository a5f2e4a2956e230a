import { shownValue } from '@apix/contracts';
import { type Level, type LevelInput, toLevel } from './level.js';
import { loggerNameProblem, NamedLevels } from './named-levels.js';

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
   * precedence over all.
   *
   * @throws RangeError for an unknown level, and for a name that is empty or contains `*`.
   */
  set(level: LevelInput, name?: string): void;
  /** Removes the level of a name; one of the options or the configuration document applies again. */
  reset(name: string): void;
}

/**
 * The levels of all loggers of a tree, which may change while they are used. Loggers cache their level
 * together with the tree's `version`, and compute it again when that has changed.
 */
export class LevelTree implements Levels {
  version = 0;
  readonly #byName = new NamedLevels();

  constructor(
    private level: Level,
    /** The lowest minimum level of the sinks. */
    private floor: number,
    levels: Readonly<Record<string, Level>> = {},
  ) {
    this.#byName.configure(levels);
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

  set(input: LevelInput, name?: string): void {
    const level = toLevel(input);
    if (name === undefined) this.level = level;
    else {
      const problem = loggerNameProblem(name);
      if (problem !== null) throw new RangeError(`logx: the name ${shownValue(name)} ${problem}`);
      this.#byName.set(name, level);
    }
    this.version++;
  }

  reset(name: string): void {
    this.#byName.reset(name);
    this.version++;
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
    return this.level;
  }
}
