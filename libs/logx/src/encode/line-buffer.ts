import { escapeJson } from '../value/json-text.js';
import { ESCAPES, NO_LETTER, plainEnd } from './plain-bytes.js';

/** Bytes that are copied in one step. */
const STEP = 8;
const FIRST_BYTES = 4 * 1024;
/** A buffer that has grown beyond this for a long line is released. */
const MAX_KEPT_BYTES = 256 * 1024;
/** Up to these lengths a loop is faster than a call into the engine: for bytes, for a text. */
const LOOP_BYTES = 160;
const LOOP_CHARS = 48;
const MAX_BYTES_PER_CHAR = 3;
const MAX_LOOP_NUMBER = 1e9;
const MAX_LOOP_THOUSANDTHS = 1e6;
const THOUSAND = 1000;
const ZERO = 0x30;
const POINT = 0x2e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Bytes that are prepared once and written many times. */
export class Fragment {
  readonly length: number;
  /** The bytes, eight in each number; zeros follow the last. */
  // Why: docs/decisions/0048
  readonly steps: Float64Array;

  constructor(bytes: Uint8Array) {
    this.length = bytes.length;
    this.steps = new Float64Array(Math.ceil(bytes.length / STEP));
    new Uint8Array(this.steps.buffer).set(bytes);
  }
}

export function fragmentOf(text: string): Fragment {
  return new Fragment(Buffer.from(text));
}

/** For a buffer that does not share its memory. */
function wordsOf(bytes: LineBuffer['bytes']): Int32Array {
  return new Int32Array(bytes.buffer, 0, bytes.length >> 2);
}

/** The buffer in which a line is encoded as bytes; it is reused for the next line. */
export class LineBuffer {
  // Why: docs/decisions/0048
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  /** The same memory, four bytes at a time. */
  #words = wordsOf(this.bytes);
  #view = new DataView(this.bytes.buffer);
  /** The length of the line in bytes. */
  end = 0;
  #text: string | undefined;
  /** The head that the bytes have begun with since the last line. */
  #head: Fragment | undefined;

  clear(): void {
    this.end = 0;
    this.#text = undefined;
    if (this.bytes.length <= MAX_KEPT_BYTES) return;
    this.#use(Buffer.allocUnsafeSlow(FIRST_BYTES));
    this.#head = undefined;
  }

  // Why: docs/decisions/0048
  /**
   * Begins a line. Lines of the same level and time begin with the same bytes, which are then still in the
   * buffer.
   */
  begin(head: Fragment): void {
    this.end = 0;
    if (this.#head === head) this.end = head.length;
    else {
      this.add(head);
      this.#head = head;
    }
  }

  get isEmpty(): boolean {
    return this.end === 0 && this.#text === undefined;
  }

  /** Takes a line that was encoded as a text; no bytes are created. */
  set(text: string): void {
    this.#text = text;
  }

  add(fragment: Fragment): void {
    const { length, steps } = fragment;
    const at = this.#placeFor(length + STEP);
    const view = this.#view;
    for (let i = 0; i < steps.length; i++) view.setFloat64(at + i * STEP, steps[i]!, true);
    this.end = at + length;
  }

  /** A copy of the bytes from `start` to the end. */
  copyFrom(start: number): Fragment {
    return new Fragment(this.bytes.subarray(start, this.end));
  }

  addByte(byte: number): void {
    const at = this.#placeFor(1);
    this.bytes[at] = byte;
    this.end = at + 1;
  }

  /** A finite number in its JSON form. */
  addNumber(value: number): void {
    if (!(value >= 0 && value < MAX_LOOP_NUMBER && Number.isInteger(value))) {
      return this.addText(String(value));
    }
    let digits = 1;
    for (let power = 10; power <= value; power *= 10) digits++;
    const at = this.#placeFor(digits);
    const { bytes } = this;
    let rest = value | 0;
    for (let i = at + digits - 1; i >= at; i--) {
      const tenth = (rest / 10) | 0;
      bytes[i] = ZERO + rest - 10 * tenth;
      rest = tenth;
    }
    this.end = at + digits;
  }

  /** A number with at most three decimals, in its JSON form. */
  addThousandths(value: number): void {
    const thousandths = Math.round(value * THOUSAND);
    if (!(value >= 0 && value < MAX_LOOP_THOUSANDTHS && thousandths / THOUSAND === value)) {
      return this.addText(String(value));
    }
    const whole = (thousandths / THOUSAND) | 0;
    this.addNumber(whole);
    let rest = (thousandths - whole * THOUSAND) | 0;
    if (rest === 0) return;
    let at = this.#placeFor(4);
    const { bytes } = this;
    bytes[at++] = POINT;
    while (rest > 0) {
      // The digits move up, until none is left.
      const digit = (rest / 100) | 0;
      bytes[at++] = ZERO + digit;
      rest = 10 * (rest - 100 * digit);
    }
    this.end = at;
  }

  /** The text unchanged. */
  addText(text: string): void {
    const { length } = text;
    if (length > LOOP_CHARS) return this.#addLong(text);
    const at = this.#placeFor(length);
    const { bytes } = this;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 126) return this.#addLong(text);
      bytes[at + i] = code;
    }
    this.end = at + length;
  }

  /** The text as it is between the quotes of a JSON string. */
  addEscaped(text: string): void {
    const { length } = text;
    const at = this.#placeFor(length);
    if (this.#escapeShort(text, at)) this.end = at + length;
    else this.#addLongEscaped(text);
  }

  /** The text as a JSON string. */
  addQuoted(text: string): void {
    const { length } = text;
    const at = this.#placeFor(length + 2);
    if (this.#escapeShort(text, at + 1)) {
      this.bytes[at] = QUOTE;
      this.bytes[at + length + 1] = QUOTE;
      this.end = at + length + 2;
      return;
    }
    this.addByte(QUOTE);
    this.#addLongEscaped(text);
    this.addByte(QUOTE);
  }

  /** Writes a short text that needs no escapes if there is room; returns false for any other text. */
  #escapeShort(text: string, at: number): boolean {
    const { length } = text;
    if (length > LOOP_CHARS) return false;
    const { bytes } = this;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code < 32 || code === 34 || code === 92 || code > 126) return false;
      bytes[at + i] = code;
    }
    return true;
  }

  /** Repeats the bytes from `start` to `end`. */
  addAgain(start: number, end: number): void {
    const at = this.#placeFor(end - start + STEP);
    this.#copy(at, start, end);
    this.end = at + end - start;
  }

  /** Repeats the bytes from `start` to `end`, which are JSON, as the inside of a JSON string. */
  addAgainEscaped(start: number, end: number): void {
    let at = this.#placeFor(2 * (end - start));
    const { bytes } = this;
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!;
      if (byte === QUOTE || byte === BACKSLASH) bytes[at++] = BACKSLASH;
      bytes[at++] = byte;
    }
    this.end = at;
  }

  /** The line as a text; created once. */
  toString(): string {
    return (this.#text ??= this.bytes.toString('utf8', 0, this.end));
  }

  #addLong(text: string): void {
    const at = this.#placeFor(text.length * MAX_BYTES_PER_CHAR);
    this.end = at + this.bytes.write(text, at);
  }

  /** The engine encodes the bytes; those that need it are then escaped. */
  #addLongEscaped(text: string): void {
    const { length } = text;
    const at = this.#placeFor(length * MAX_BYTES_PER_CHAR + STEP);
    // If there are more bytes than characters, there may be lone surrogates, which have no bytes.
    const isAscii = this.bytes.write(text, at) === length;
    if (!isAscii || !this.#escape(at, at + length)) this.#addLong(escapeJson(text));
  }

  /**
   * Escapes the bytes there and ends the line with them; returns false if an escape needs more than a
   * letter.
   */
  #escape(start: number, end: number): boolean {
    const { bytes } = this;
    const words = this.#words;
    let to = plainEnd(bytes, words, start, end);
    // Beyond the area that is written, which grows to at most twice the length.
    const stop = end + end - to;
    if (to < end) bytes.copyWithin(end, to, end);
    for (let i = end; i < stop;) {
      const letter = ESCAPES[bytes[i]!]!;
      if (letter === NO_LETTER) return false;
      bytes[to] = BACKSLASH;
      bytes[to + 1] = letter;
      const next = plainEnd(bytes, words, i + 1, stop);
      if (i - to > STEP) this.#copy(to + 2, i + 1, next);
      else bytes.copyWithin(to + 2, i + 1, next);
      to += 1 + next - i;
      i = next;
    }
    this.end = to;
    return true;
  }

  /** Copies bytes there, and up to seven after them; within that reach of `start`, to a later position. */
  #copy(to: number, start: number, end: number): void {
    if (end - start > LOOP_BYTES) return void this.bytes.copyWithin(to, start, end);
    const view = this.#view;
    const distance = to - start;
    for (let i = start; i < end; i += STEP) {
      view.setFloat64(i + distance, view.getFloat64(i, true), true);
    }
  }

  /** Makes sure that there is room for so many bytes; returns the position where they begin. */
  #placeFor(length: number): number {
    const { end, bytes } = this;
    if (end + length > bytes.length) {
      this.#use(Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, end + length)));
      bytes.copy(this.bytes, 0, 0, end);
    }
    return end;
  }

  #use(bytes: LineBuffer['bytes']): void {
    this.bytes = bytes;
    this.#words = wordsOf(bytes);
    this.#view = new DataView(bytes.buffer);
  }
}
