import { Buffer } from 'node:buffer';
import { endianness } from 'node:os';
import { lengthByFirst, readCodePoint } from '../../bytes/utf8.js';
import {
  escapedPoint,
  lengthOfEscape,
  BACKSLASH,
  CONTROL,
  IN_STRING,
  PLAIN,
  QUOTE,
} from './string-bytes.js';

/** A text cut out of another keeps that one alive: with at most so many units of UTF-16. */
const MOST_BYTES = 2048;
const LEAST_BYTES = 128;
const QUOTE_BYTE = 0x22;

/** The buffer of the windows, used one after the other, so that a document does not need its own. */
const units = new Uint16Array(MOST_BYTES + 1);
const unitBytes = Buffer.from(units.buffer);
const narrow = Buffer.alloc(MOST_BYTES + 1);
/** By where a character begins in the bytes of the window: where it begins in its text. */
const places = new Uint16Array(MOST_BYTES + 1);
/** By the position in the window at which a string begins: where it ends; 0 if none begins there. */
const ends = new Uint16Array(MOST_BYTES + 1);
/** How many windows were written: the last one is there. */
let written = 0;

const isBigEndian = endianness() === 'BE';

/**
 * Reads strings with escapes or characters beyond ASCII out of the bytes of a JSON document. The bytes
 * after a string are decoded together with it, structure included, because cutting many texts out of one is
 * several times faster than decoding each. The closer such strings are to each other, the larger the
 * window.
 */
export class TextWindow {
  /** Where the closing quote is of the string that was read last. */
  end = 0;
  #text = '';
  #start = 0;
  #limit = 0;
  #size = LEAST_BYTES;
  /** Which of the written windows belongs to it; 0 for none. */
  #number = 0;

  /** @param bytes valid UTF-8. */
  constructor(private readonly bytes: Buffer) {}

  /**
   * The string whose first character is at `from`; undefined for one that is longer than a
   * window, and for one that is not a string of JSON or holds half of a surrogate pair.
   */
  read(from: number): string | undefined {
    if (this.#number !== written || from < this.#start || from >= this.#limit) this.#move(from);
    if (ends[from - this.#start] === 0 && !this.#moveToWhole(from)) return undefined;
    const offset = from - this.#start;
    const end = ends[offset]!;
    this.end = this.#start + end;
    return this.#text.slice(places[offset], places[end]);
  }

  #move(from: number): void {
    const isNear = from >= this.#start && from - this.#limit < this.#size;
    this.#size = isNear ? Math.min(this.#size * 2, MOST_BYTES) : LEAST_BYTES;
    this.#fill(from, this.#size);
  }

  /** For a string that the window does not reach the end of. */
  #moveToWhole(from: number): boolean {
    // An escaped quote is found as well; a longer string is not looked at in vain, as a rule.
    const quote = this.bytes.indexOf(QUOTE_BYTE, from);
    if (quote === -1 || quote - from >= MOST_BYTES) return false;
    this.#fill(from, MOST_BYTES);
    return ends[0] !== 0;
  }

  /** Reads on from the first character of a string, as far as characters are whole. */
  #fill(from: number, size: number): void {
    const { bytes } = this;
    const limit = Math.min(from + size, bytes.length);
    let at = from;
    /** Where the string begins that is being read; 0 between strings, as no string begins there. */
    let start = from;
    let count = 0;
    let seen = 0;
    ends.fill(0);
    while (at < limit) {
      const byte = bytes[at]!;
      const kind = IN_STRING[byte]!;
      places[at - from] = count;
      if (kind === PLAIN) {
        units[count++] = byte;
        at++;
        continue;
      }
      if (kind === QUOTE || kind === CONTROL) {
        if (kind === CONTROL) {
          if (start !== 0) break;
        } else if (start === 0) start = at + 1;
        else {
          ends[start - from] = at - from;
          start = 0;
        }
        units[count++] = byte;
        at++;
        continue;
      }
      const point = kind === BACKSLASH ? escapedPoint(bytes, at) : readCodePoint(bytes, at);
      if (point === -1) break;
      at += kind === BACKSLASH ? lengthOfEscape(bytes, at, point) : lengthByFirst(byte);
      seen |= point;
      if (point > 0xffff) {
        units[count++] = 0xd7c0 + (point >> 10);
        units[count++] = 0xdc00 | (point & 0x3ff);
      } else units[count++] = point;
    }
    written++;
    this.#number = written;
    this.#start = from;
    this.#limit = at;
    this.#text = seen > 0xff ? wideText(count) : narrowText(count);
  }
}

function wideText(count: number): string {
  const bytes = unitBytes.subarray(0, count * 2);
  return (isBigEndian ? bytes.swap16() : bytes).toString('utf16le');
}

/** A text of one byte for each character takes half of the memory. */
function narrowText(count: number): string {
  for (let i = 0; i < count; i++) narrow[i] = units[i]!;
  return narrow.toString('latin1', 0, count);
}
