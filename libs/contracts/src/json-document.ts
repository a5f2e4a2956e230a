import { shownValue } from './shown-value.js';

/** The place of a value: names of members and indexes of arrays. */
type JsonPlace = readonly (string | number)[];

/** A JSON text that cannot be read. Its message has no piece of the text but names of members. */
export class JsonError extends Error {
  override readonly name = 'JsonError';

  /** @param line from 1 on */
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** A JSON text that was read. */
export interface JsonDocument {
  readonly value: unknown;
  /** The line of a value, from 1 on; undefined if there is no such value. */
  readonly lineOf: (place: JsonPlace) => number | undefined;
}

/**
 * Reads a JSON file as people write them: comments as in JavaScript, a comma after the last member
 * and a byte order mark are allowed. Everything else is JSON as RFC 8259 has it, and a name that an object
 * has twice is an error, since one of both values would be lost.
 *
 * @throws JsonError with the line of the mistake.
 */
export function readJsonText(text: string): JsonDocument {
  return new JsonReader(text).read();
}

/** How deep values may be nested. */
const MOST_LEVELS = 500;

const SPACE = /[ \t\n\r]*/y;
const COMMENT = /\/\/[^\n\r]*|\/\*[^]*?\*\//y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;

class JsonReader {
  readonly #lines = new Map<string, number>();
  #at: number;
  /** How far lines have been counted, and how many there were. */
  #counted = { at: 0, line: 1 };

  constructor(private readonly text: string) {
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  read(): JsonDocument {
    this.#skip();
    if (this.#next() === undefined) throw this.#wrong('has no value; write {} if nothing is set');
    const value = this.#value([]);
    if (this.#next() !== undefined) throw this.#wrong('nothing but comments may follow the value');
    return { value, lineOf: (place) => this.#lines.get(keyOf(place)) };
  }

  /** The value from here on; skips what may follow it. */
  #value(place: JsonPlace): unknown {
    if (place.length > MOST_LEVELS) throw this.#wrong(`has more than ${MOST_LEVELS} levels`);
    this.#lines.set(keyOf(place), this.#line);
    const value = this.#has('{')
      ? this.#object(place)
      : this.#has('[')
        ? this.#array(place)
        : this.#scalar();
    this.#skip();
    return value;
  }

  #object(place: JsonPlace): object {
    const members = new Map<string, unknown>();
    const lines = new Map<string, number>();
    while (!this.#has('}')) {
      const line = this.#line;
      if (this.#next() !== '"') throw this.#wrong('a name in double quotes is expected');
      const name = this.#string();
      const first = lines.get(name);
      if (first !== undefined) {
        throw new JsonError(line, `${shownValue(name)} is already set in line ${first}`);
      }
      lines.set(name, line);
      this.#skip();
      if (!this.#has(':')) throw this.#wrong('":" is expected after a name');
      members.set(name, this.#value([...place, name]));
      if (!this.#has(',') && this.#next() !== '}') throw this.#wrong('"," or "}" is expected');
    }
    // Not by assignment: a member may be called __proto__.
    return Object.fromEntries(members);
  }

  #array(place: JsonPlace): unknown[] {
    const values: unknown[] = [];
    while (!this.#has(']')) {
      values.push(this.#value([...place, values.length]));
      if (!this.#has(',') && this.#next() !== ']') throw this.#wrong('"," or "]" is expected');
    }
    return values;
  }

  #scalar(): unknown {
    if (this.#next() === '"') return this.#string();
    const text = this.#take(SCALAR);
    if (text === '') throw this.#wrong('a value is expected');
    return JSON.parse(text) as unknown;
  }

  #string(): string {
    let end = this.#at + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1;
    try {
      const value = JSON.parse(this.text.slice(this.#at, end + 1)) as string;
      this.#at = end + 1;
      return value;
    } catch {
      // The error of JSON.parse has a piece of the text, which may be a secret.
      throw this.#wrong('a string is not valid');
    }
  }

  /** Undefined at the end. */
  #next(): string | undefined {
    return this.text[this.#at];
  }

  get #line(): number {
    let { at, line } = this.#counted;
    for (; at < this.#at; at++) if (this.text[at] === '\n') line += 1;
    this.#counted = { at, line };
    return line;
  }

  /** Passes a character, and what may follow it, if it is the next one. */
  #has(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at += 1;
    this.#skip();
    return true;
  }

  #skip(): void {
    do this.#take(SPACE);
    while (this.#take(COMMENT) !== '');
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #wrong(expected: string): JsonError {
    const isComment = this.#next() === '#' || this.#next() === '/';
    return new JsonError(
      this.#line,
      isComment ? 'a comment in JSON begins with // or is between /* and */' : expected,
    );
  }
}

function keyOf(place: JsonPlace): string {
  return place.map(String).join('\0');
}
