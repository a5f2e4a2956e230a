import { Buffer } from 'node:buffer';
import { AsciiWindow } from '../../bytes/windows.js';
import { clip, quote } from '../json-decode-error.js';
import { JsonProgress, type JsonReading } from './json-progress.js';
import { lineAndColumn } from './line-and-column.js';
import {
  ANY,
  BACKSLASH,
  BEYOND_ASCII,
  IN_STRING,
  NEEDS_LOOK,
  PLAIN,
  endOfRun,
} from './string-bytes.js';
import { TextWindow } from './text-window.js';

/** Integers of up to this many digits are summed up; longer ones are read as text. */
const SUMMED_DIGITS = 15;
/** Beyond this many bytes of a string a look at four at a time is faster. */
const SHORT_BYTES = 64;

/**
 * A JSON document (RFC 8259) as UTF-8 bytes, read once from its beginning to its end, and what
 * its readers need to know about the whole of it.
 *
 * @throws JsonDecodeError from every method, with the place that `places` says.
 */
export class JsonSource extends JsonProgress {
  at = 0;
  readonly end: number;
  readonly #ascii: AsciiWindow;
  #window: TextWindow | undefined;
  /** Whether the string that was gone past last has escapes. */
  #isEscaped = false;

  /**
   * @param bytes valid UTF-8.
   * @param isParsed whether the document was parsed before, and digits of numbers may be lost.
   */
  constructor(
    readonly bytes: Buffer,
    reading: JsonReading,
    readonly isParsed: boolean,
  ) {
    super(reading);
    this.end = bytes.length;
    this.#ascii = new AsciiWindow(bytes);
  }

  /**
   * The next byte that is not white space; 0 at the end, a byte that JSON cannot have outside of strings.
   */
  peek(): number {
    const { bytes, end } = this;
    let { at } = this;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) {
        this.at = at;
        return byte;
      }
      at += 1;
    }
    this.at = at;
    return 0;
  }

  /** Goes past the given byte if it is the next one. */
  take(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.at += 1;
    return true;
  }

  /** Goes past the given bytes if they come next, white space not allowed. */
  takeBytes(wanted: Uint8Array): boolean {
    const { bytes, at } = this;
    const count = wanted.length;
    for (let i = 0; i < count; i += 1) if (bytes[at + i] !== wanted[i]) return false;
    this.at = at + count;
    return true;
  }

  /** Reads a string, whose opening quote is at `at`. */
  string(): string {
    const { bytes, end } = this;
    const from = this.at + 1;
    let to = from;
    const near = Math.min(from + SHORT_BYTES, end);
    while (to < near && IN_STRING[bytes[to]!] === PLAIN) to += 1;
    if (to === near) to = endOfRun(bytes, to, end, ANY);
    if (to < end && bytes[to] === 0x22) {
      this.at = to + 1;
      return this.#ascii.slice(from, to);
    }
    return this.#longerString(from);
  }

  /**
   * Skips a string whose opening quote is at `at`, and returns the position of its closing quote; -1,
   * without reading it, for a string with escapes, whose bytes are not its text.
   */
  plainString(): number {
    const { bytes, end } = this;
    let to = this.at + 1;
    const near = Math.min(to + SHORT_BYTES, end);
    while (to < near && (IN_STRING[bytes[to]!]! & NEEDS_LOOK) === 0) to += 1;
    if (to === near) to = endOfRun(bytes, to, end, NEEDS_LOOK);
    if (to >= end || bytes[to] !== 0x22) return -1;
    this.at = to + 1;
    return to;
  }

  /** Reads `true` or `false`; undefined for anything else. */
  boolean(): boolean | undefined {
    const byte = this.peek();
    if (byte === 0x74) {
      this.#word(TRUE);
      return true;
    }
    if (byte !== 0x66) return undefined;
    this.#word(FALSE);
    return false;
  }

  /** Goes past `null` if it is next. */
  takeNull(): boolean {
    if (this.peek() !== 0x6e) return false;
    this.#word(NULL);
    return true;
  }

  /** The text of the number that is next; empty if there is none. */
  number(): string {
    const { bytes, end } = this;
    this.peek();
    const from = this.at;
    let at = from;
    if (at < end && bytes[at] === 0x2d) at += 1;
    const digits = at;
    while (at < end && isDigit(bytes[at]!)) at += 1;
    if (at === digits) return at === from ? '' : this.failAt(at, 'expected a digit');
    if (bytes[digits] === 0x30 && at > digits + 1) {
      return this.failAt(digits + 1, 'expected no digit after a leading 0');
    }
    if (at < end && bytes[at] === 0x2e) at = this.#digits(at + 1);
    if (at < end && (bytes[at]! | 0x20) === 0x65) {
      at += 1;
      if (at < end && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at += 1;
      at = this.#digits(at);
    }
    this.at = at;
    return this.#ascii.slice(from, at);
  }

  /**
   * The integer that is next, in quotes or not, if it is written with up to 15 digits and nothing
   * else; undefined and unread otherwise, and for -0.
   */
  shortInteger(): number | undefined {
    const { bytes, end } = this;
    const isQuoted = this.peek() === 0x22;
    let at = isQuoted ? this.at + 1 : this.at;
    const isNegative = bytes[at] === 0x2d;
    if (isNegative) at += 1;
    const from = at;
    let sum = 0;
    while (at < end && isDigit(bytes[at]!)) {
      sum = sum * 10 + bytes[at]! - 0x30;
      at += 1;
    }
    const count = at - from;
    if (count === 0 || count > SUMMED_DIGITS || (count > 1 && bytes[from] === 0x30)) {
      return undefined;
    }
    const next = at < end ? bytes[at]! : 0;
    if (isQuoted ? next !== 0x22 : next === 0x2e || (next | 0x20) === 0x65) return undefined;
    if (isNegative && sum === 0) return undefined;
    this.at = isQuoted ? at + 1 : at;
    return isNegative ? -sum : sum;
  }

  /** Goes past the colon after a member's name. */
  expectColon(): void {
    if (!this.take(0x3a)) this.failAt(this.at, 'expected ":"');
  }

  /** The next value, as an error shows it. */
  found(): string {
    const byte = this.peek();
    if (byte === 0x5b) return 'an array';
    if (byte === 0x7b) return 'an object';
    if (byte === 0x22) return quote(this.string());
    if (this.takeNull()) return 'null';
    const flag = this.boolean();
    if (flag !== undefined) return String(flag);
    return clip(this.number()) || this.failAt(this.at, 'expected a value');
  }

  /** For a value of another kind than the field wants. */
  expected(what: string): never {
    return this.fail(`expected ${what}, got ${this.found()}`);
  }

  /** For input that is not JSON. */
  failAt(at: number, expected: string, cause?: unknown): never {
    const found = at < this.end ? quote(characterAt(this.bytes, at)) : 'the end';
    return this.fail(
      `invalid JSON: ${expected}, found ${found} at ${lineAndColumn(this.bytes, at)}`,
      cause === undefined ? {} : { cause },
    );
  }

  /** A string with a byte that is not plain ASCII. */
  #longerString(from: number): string {
    const window = (this.#window ??= new TextWindow(this.bytes));
    const short = window.read(from);
    if (short !== undefined) {
      this.at = window.end + 1;
      return short;
    }
    const to = this.#endOfString();
    if (!this.#isEscaped) return this.bytes.toString('utf8', from, to);
    let text: string;
    try {
      text = JSON.parse(this.bytes.toString('utf8', from - 1, to + 1)) as string;
    } catch (error) {
      return this.failAt(from - 1, 'text with a bad escape or a control character', error);
    }
    return text.isWellFormed() ? text : this.fail('invalid UTF8: half of a surrogate pair');
  }

  /** Skips a string, which may contain invalid escapes, and returns the position of its closing quote. */
  #endOfString(): number {
    const { bytes, end } = this;
    this.#isEscaped = false;
    let at = this.at + 1;
    for (; at < end; at += 1) {
      const kind = IN_STRING[bytes[at]!]!;
      if (kind === PLAIN || kind === BEYOND_ASCII) continue;
      if (kind !== BACKSLASH) break;
      this.#isEscaped = true;
      at += 1;
    }
    if (at >= end) this.failAt(end, 'text without its closing quote');
    if (bytes[at] !== 0x22) this.failAt(at, 'text with a bad escape or a control character');
    this.at = at + 1;
    return at;
  }

  #word(word: Uint8Array): void {
    if (!this.takeBytes(word)) this.failAt(this.at, 'expected a value');
  }

  #digits(from: number): number {
    const { bytes, end } = this;
    let at = from;
    while (at < end && isDigit(bytes[at]!)) at += 1;
    return at > from ? at : this.failAt(at, 'expected a digit');
  }
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function characterAt(bytes: Buffer, at: number): string {
  return String.fromCodePoint(bytes.toString('utf8', at, at + 4).codePointAt(0)!);
}
