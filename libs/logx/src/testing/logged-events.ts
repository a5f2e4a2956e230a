import { isDeepStrictEqual } from 'node:util';
import { parseLevel } from '../levels/level.js';

/** An event as a reader of the JSON format gets it. */
export interface LoggedEvent {
  /** `trace`, `debug`, `info`, `warn`, `error` or `fatal`. */
  readonly level: string;
  /** The template, not rendered. */
  readonly '@mt': string;
  /** The rendered template. */
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Events in the order in which they were logged; each query leaves those that match. */
export class LoggedEvents implements Iterable<LoggedEvent> {
  constructor(private readonly collected: readonly LoggedEvent[]) {}

  get count(): number {
    return this.collected.length;
  }

  get messages(): readonly string[] {
    return this.collected.map(({ message }) => message);
  }

  /** Those of a level, by any name that `parseLevel` takes: `warning` and `warn` are the same. */
  at(level: string): LoggedEvents {
    const wanted = parseLevel(level);
    return this.#where((event) => parseLevel(event.level) === wanted);
  }

  withTemplate(template: string): LoggedEvents {
    return this.#where((event) => event['@mt'] === template);
  }

  /** Those whose message contains the text or matches the pattern. */
  saying(text: string | RegExp): LoggedEvents {
    return this.#where(({ message }) =>
      typeof text === 'string' ? message.includes(text) : message.search(text) >= 0,
    );
  }

  /** Those that have all of these fields; a field of `undefined` must be absent. */
  with(fields: Readonly<Record<string, unknown>>): LoggedEvents {
    const wanted = Object.entries(fields);
    return this.#where((event) =>
      wanted.every(([name, value]) => isDeepStrictEqual(event[name], value)),
    );
  }

  /** @throws Error that shows the events when there is not exactly one. */
  only(): LoggedEvent {
    const [event, ...others] = this.collected;
    if (event === undefined || others.length > 0) {
      throw new Error(`logx: expected one event, found ${this.count}${this.#listed()}`);
    }
    return event;
  }

  first(): LoggedEvent | undefined {
    return this.collected[0];
  }

  last(): LoggedEvent | undefined {
    return this.collected.at(-1);
  }

  [Symbol.iterator](): Iterator<LoggedEvent> {
    return this.collected[Symbol.iterator]();
  }

  #where(matches: (event: LoggedEvent) => boolean): LoggedEvents {
    return new LoggedEvents(this.collected.filter(matches));
  }

  #listed(): string {
    return this.collected.map(({ level, message }) => `\n  ${level}: ${message}`).join('');
  }
}
