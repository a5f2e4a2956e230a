import { Code, StatusError } from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';

/** How much of a caller's text an error repeats. */
const LONGEST_ECHO = 120;

/**
 * JSON that does not fit the message type. INVALID_ARGUMENT; the text is meant for the caller and begins
 * with the place.
 */
export class JsonDecodeError extends StatusError {
  constructor(
    /** Where, as a JSONPath such as `$.order.lines[2].quantity`; `$` is the whole document. */
    readonly path: string,
    /** What is wrong there. */
    readonly problem: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(Code.INVALID_ARGUMENT, `${path}: ${problem}`, options);
  }
}

/** The path of a member; names that are not identifiers are quoted. */
export function memberPath(path: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${clip(key)}` : `${path}[${quote(key)}]`;
}

/** The path of an array's element, counted from 0. */
export function itemPath(path: string, index: number): string {
  return `${path}[${index}]`;
}

/** Text of a caller as a JSON string, cut short. */
export function quote(text: string): string {
  return JSON.stringify(clip(text));
}

/** Text of a caller, cut short. */
export function clip(text: string): string {
  return cutText(text, LONGEST_ECHO);
}
