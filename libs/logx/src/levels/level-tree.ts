import { type Level, type LevelInput, toLevel } from './level.js';

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
   * Sets the minimum level of all loggers, or of those with this name (see `named`) and their
   * children. A logger's `withLevel` takes precedence over both.
   *
   * @throws RangeError for an unknown level.
   */
  set(level: LevelInput, name?: string): void;
  /** Removes the level of a name. */
  reset(name: string): void;
}

/**
 * The levels of all loggers of a tree, which may change while they are used. Loggers cache their level
 * together with the tree's `version`, and compute it again when that has changed.
 */
export class LevelTree implements Levels {
  version = 0;
  readonly #byName = new Map<string, Level>();

  constructor(
    private level: Level,
    /** The lowest minimum level of the sinks. */
    private floor: number,
  ) {}

  /** The level below which a logger with this path logs nothing. */
  minimum(path: LevelPath | undefined): number {
    return Math.max(this.#levelOf(path), this.floor);
  }

  set(input: LevelInput, name?: string): void {
    const level = toLevel(input);
    if (name === undefined) this.level = level;
    else this.#byName.set(name, level);
    this.version++;
  }

  reset(name: string): void {
    this.#byName.delete(name);
    this.version++;
  }

  /** Turns all logging off. */
  silence(): void {
    this.floor = Infinity;
    this.version++;
  }

  #levelOf(path: LevelPath | undefined): Level {
    for (let at = path; at !== undefined; at = at.outer) {
      const level = at.level ?? (at.name === undefined ? undefined : this.#byName.get(at.name));
      if (level !== undefined) return level;
    }
    return this.level;
  }
}
