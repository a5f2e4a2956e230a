import {
  JsonDecodeError,
  itemPath,
  memberPath,
  nestedTooDeeply,
  quote,
} from './json-decode-error.js';
import { JsonNumber, hasDelicateNumber } from './json-number.js';

/** A parsed document in which numbers that a double may not hold are still text. */
export type JsonTree =
  null | boolean | number | string | JsonNumber | JsonTree[] | { [key: string]: JsonTree };

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const LITERALS: ReadonlyMap<string, null | boolean> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Parses RFC 8259 JSON as `JSON.parse` does, but keeps the digits of numbers, refuses an object
 * with the same key twice, and says where it stopped.
 *
 * @param maxNesting arrays and objects inside one another, at most.
 * @throws JsonDecodeError
 */
export function parseJson(text: string, maxNesting: number): JsonTree {
  return new Parser(text, maxNesting).document();
}

class Parser {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly maxNesting: number,
  ) {}

  document(): JsonTree {
    const tree = this.value('$', 0);
    this.space();
    if (this.at < this.text.length) this.fail('$', 'expected the end');
    return tree;
  }

  private value(path: string, nesting: number): JsonTree {
    this.space();
    const char = this.text[this.at];
    if (char === '{' || char === '[') {
      if (nesting >= this.maxNesting) throw nestedTooDeeply(path, this.maxNesting);
      return char === '{' ? this.object(path, nesting + 1) : this.array(path, nesting + 1);
    }
    if (char === '"') return this.string(path);
    return this.number() ?? this.literal(path);
  }

  private object(path: string, nesting: number): JsonTree {
    const members: { [key: string]: JsonTree } = {};
    this.at++;
    if (this.take('}')) return members;
    do {
      this.space();
      if (this.text[this.at] !== '"') this.fail(path, 'expected a member name in quotes');
      const key = this.string(path);
      const inner = memberPath(path, key);
      if (Object.hasOwn(members, key)) throw new JsonDecodeError(inner, 'given more than once');
      if (!this.take(':')) this.fail(inner, 'expected ":"');
      setOwn(members, key, this.value(inner, nesting));
    } while (this.take(','));
    if (!this.take('}')) this.fail(path, 'expected "," or "}"');
    return members;
  }

  private array(path: string, nesting: number): JsonTree {
    const items: JsonTree[] = [];
    this.at++;
    if (this.take(']')) return items;
    do items.push(this.value(itemPath(path, items.length), nesting));
    while (this.take(','));
    if (!this.take(']')) this.fail(path, 'expected "," or "]"');
    return items;
  }

  private string(path: string): string {
    const { text } = this;
    const start = this.at;
    let end = start + 1;
    for (let char = text.charCodeAt(end); char !== 0x22; char = text.charCodeAt(++end)) {
      if (char === 0x5c) end++;
      if (Number.isNaN(char)) this.fail(path, 'text without its closing quote');
    }
    this.at = end + 1;
    try {
      return JSON.parse(text.slice(start, end + 1)) as string;
    } catch (error) {
      this.at = start;
      return this.fail(path, 'text with a bad escape or a control character', error);
    }
  }

  private number(): number | JsonNumber | null {
    NUMBER.lastIndex = this.at;
    const text = NUMBER.exec(this.text)?.[0];
    if (text === undefined) return null;
    this.at += text.length;
    return hasDelicateNumber(text) ? new JsonNumber(text) : Number(text);
  }

  private literal(path: string): null | boolean {
    for (const [word, value] of LITERALS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.fail(path, 'expected a value');
  }

  private take(char: string): boolean {
    this.space();
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private space(): void {
    SPACE.lastIndex = this.at;
    SPACE.test(this.text);
    this.at = SPACE.lastIndex;
  }

  private fail(path: string, expected: string, cause?: unknown): never {
    const before = this.text.slice(0, this.at).split('\n');
    const found = this.at < this.text.length ? quote(this.text[this.at]!) : 'the end';
    const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
    throw new JsonDecodeError(
      path,
      `invalid JSON: ${expected}, found ${found} at ${place}`,
      cause === undefined ? {} : { cause },
    );
  }
}

/** Sets a member by any name, `__proto__` too, as `JSON.parse` does. */
function setOwn(members: { [key: string]: JsonTree }, key: string, value: JsonTree): void {
  if (key !== '__proto__') members[key] = value;
  else {
    Object.defineProperty(members, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
}
