import { type FieldValue, isBytes } from '../value/field-value.js';
import { plainText } from '../value/plain-text.js';
import { exponential, fixed, inBase, isFiniteNumber, isWhole, zeroPadded } from './number-text.js';
import type { ValueFormat } from './value-format.js';

interface Specifier {
  readonly flags: string;
  readonly precision: number | undefined;
}

/** The text of a value; undefined for a value that the verb does not apply to. */
type Verb = (value: FieldValue, specifier: Specifier) => string | undefined;

/** Widths are at most three digits, so that a template cannot fill the memory. */
const SPECIFIER = /^%?([-+# 0]*)(\d{0,3})(?:\.(\d{0,3}))?([a-zA-Z])$/;
/** Digits that `e` and `f` show if the specifier has no precision. */
const DEFAULT_PRECISION = 6;

const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['v', plainText],
  ['s', (value, { precision }) => plainText(value).slice(0, precision)],
  ['q', (value) => (typeof value === 'string' ? JSON.stringify(value) : undefined)],
  ['t', (value) => (typeof value === 'boolean' ? String(value) : undefined)],
  ['d', whole(10, '')],
  ['b', whole(2, '0b')],
  ['o', whole(8, '0')],
  ['x', hexadecimal],
  ['X', inCapitals(hexadecimal)],
  ['f', fixedPoint],
  ['F', fixedPoint],
  ['e', scientific],
  ['E', inCapitals(scientific)],
  ['g', general],
  ['G', inCapitals(general)],
]);

/**
 * The formats of Go's package fmt: `.2f`, `05d`, `x`, `e`, `q`, `-10s`, with or without a `%`. An exact tie
 * is rounded away from zero; Go rounds it to even.
 */
export function goFormat(text: string): ValueFormat | undefined {
  const [, flags = '', width = '', digits, letter = ''] = SPECIFIER.exec(text) ?? [];
  const verb = VERBS.get(letter);
  if (verb === undefined) return undefined;
  const specifier = { flags, precision: digits === undefined ? undefined : Number(digits) };
  return (value) => {
    const shown = verb(value, specifier);
    if (shown === undefined) return undefined;
    return padded(withSign(shown, value, flags), value, flags, Number(width));
  };
}

function withSign(text: string, value: FieldValue, flags: string): string {
  if (!isFiniteNumber(value) || text.startsWith('-')) return text;
  return flags.includes('+') ? `+${text}` : flags.includes(' ') ? ` ${text}` : text;
}

function padded(text: string, value: FieldValue, flags: string, width: number): string {
  if (flags.includes('-')) return text.padEnd(width);
  const zeros = flags.includes('0') && isFiniteNumber(value);
  return zeros ? zeroPadded(text, width) : text.padStart(width);
}

function whole(base: number, prefix: string): Verb {
  return (value, { flags, precision = 0 }) => {
    if (!isWhole(value)) return undefined;
    const text = inBase(value, base);
    const sign = text.startsWith('-') ? '-' : '';
    const digits = text.slice(sign.length).padStart(precision, '0');
    return sign + (flags.includes('#') ? prefix : '') + digits;
  };
}

function hexadecimal(value: FieldValue, specifier: Specifier): string | undefined {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (typeof value === 'object' && value !== null && isBytes(value)) {
    return Buffer.from(value).toString('hex');
  }
  return whole(16, '0x')(value, specifier);
}

function fixedPoint(value: FieldValue, specifier: Specifier): string | undefined {
  const { precision = DEFAULT_PRECISION } = specifier;
  return isFiniteNumber(value) ? fixed(value, precision) : undefined;
}

function scientific(value: FieldValue, specifier: Specifier): string | undefined {
  const { precision = DEFAULT_PRECISION } = specifier;
  return isFiniteNumber(value) ? exponential(Number(value), precision, 2) : undefined;
}

/** As few digits as say it, or `precision` of them; with an exponent where Go has one. */
function general(value: FieldValue, { precision }: Specifier): string | undefined {
  if (!isFiniteNumber(value)) return undefined;
  const number = Number(value);
  const digits = precision === undefined ? undefined : Math.max(precision, 1) - 1;
  const [mantissa, exponent] = number
    .toExponential(digits === undefined ? undefined : Math.min(digits, 99))
    .split('e') as [string, string];
  const most = Number(exponent);
  const short = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  const shown = short.replace(/\D/g, '').length - 1;
  if (most < -4 || most >= (precision ?? DEFAULT_PRECISION)) return exponential(number, shown, 2);
  return fixed(number, Math.max(shown - most, 0));
}

function inCapitals(verb: Verb): Verb {
  return (value, specifier) => verb(value, specifier)?.toUpperCase();
}
