import type { Level } from './level.js';

/**
 * Levels of loggers by name. A name also applies to the names below it, which continue after a dot: of
 * several names the longest applies, and of a name that is set several times the level set for a while, then that
 * set in code.
 */
export class NamedLevels {
  readonly #set = new Map<string, Level>();
  readonly #timed: ReadonlyMap<string, { readonly level: Level }>;
  #configured: ReadonlyMap<string, Level> = new Map();
  #longest = 0;

  /** @param timed levels that are set for a while; {@link reach} is called for each new name. */
  constructor(timed: ReadonlyMap<string, { readonly level: Level }> = new Map()) {
    this.#timed = timed;
  }

  set(name: string, level: Level): void {
    this.#set.set(name, level);
    this.reach(name);
  }

  /** Names as long as this one are looked up. */
  reach({ length }: string): void {
    this.#longest = Math.max(this.#longest, length);
  }

  reset(name: string): void {
    this.#set.delete(name);
  }

  /** Replaces those of the options or the configuration document. */
  configure(levels: Readonly<Record<string, Level>>): void {
    this.#configured = new Map(Object.entries(levels));
    for (const name of this.#configured.keys()) this.reach(name);
  }

  find(name: string): Level | undefined {
    if (this.#longest === 0) return undefined;
    // Only prefixes as long as a name that is set are looked up, however long a logger's name is.
    const { length } = name;
    let end = length <= this.#longest ? length : name.lastIndexOf('.', this.#longest);
    for (; end > 0; end = name.lastIndexOf('.', end - 1)) {
      const prefix = end === length ? name : name.slice(0, end);
      const level =
        this.#timed.get(prefix)?.level ?? this.#set.get(prefix) ?? this.#configured.get(prefix);
      if (level !== undefined) return level;
    }
    return undefined;
  }
}

/** Why a name cannot have a level; null if it can. */
export function loggerNameProblem(name: string): string | null {
  if (name === '' || name === '*') {
    return 'is not the name of a logger; the level of all loggers is set without a name';
  }
  if (name.includes('*')) {
    return 'must not contain *; a name also applies to the names that continue it after a dot';
  }
  return name.startsWith('.') || name.endsWith('.') ? 'must not begin or end with a dot' : null;
}
