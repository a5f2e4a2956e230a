import { shownFields } from '../value/members-of.js';
import type { PinoEntry, PinoTarget } from '../pino/pino-target.js';
import { Scope } from '../event/scope.js';
import { type Level, LEVELS } from '../levels/level.js';
import type { EventSource, LoggerCore } from './core.js';

/** Creates events from the entries of a pino logger, with the fields of its own logger. */
export class PinoEvents implements PinoTarget {
  readonly #scopes = new WeakMap<object, Scope>();

  constructor(
    private readonly core: LoggerCore,
    private readonly source: EventSource,
    private readonly isEnabled: (level: Level) => boolean,
  ) {}

  enabled(level: number): boolean {
    return this.isEnabled(levelBelow(level));
  }

  write({ level, message, fields, error, bindings }: PinoEntry): void {
    const source = { scope: this.#scopeOf(bindings), stackTrace: this.source.stackTrace };
    const call = { level: levelBelow(level), boundary: undefined, error, fields };
    this.core.log(source, call, message, [], true);
  }

  flush(): Promise<void> {
    return this.core.dispatcher.flush();
  }

  flushSync(): void {
    this.core.dispatcher.flushSync();
  }

  #scopeOf(bindings: object): Scope {
    const known = this.#scopes.get(bindings);
    if (known !== undefined) return known;
    const { scope } = this.source;
    const shown = shownFields(bindings);
    const scopeBelow = this.core.scopeBelow(scope, Object.keys(shown), Object.values(shown));
    this.#scopes.set(bindings, scopeBelow);
    return scopeBelow;
  }
}

/** The level itself, or for one of pino's custom levels the next below. */
function levelBelow(level: number): Level {
  return LEVELS.findLast((known) => known <= level) ?? LEVELS[0]!;
}
