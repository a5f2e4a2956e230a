import { type FieldValue, isBytes } from './field-value.js';

/** Above this length the native escaping is faster than a loop. */
const LOOP_LENGTH = 48;
/** Characters below the space, quotes, backslashes and surrogates. */
const NEEDS_ESCAPE = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Escapes a text for the inside of a JSON string; lone surrogates are escaped too. */
export function escapeJson(text: string): string {
  const { length } = text;
  if (length > LOOP_LENGTH) {
    return NEEDS_ESCAPE.test(text) ? JSON.stringify(text).slice(1, -1) : text;
  }
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || code === 34 || code === 92 || (code >= 0xd800 && code <= 0xdfff)) {
      return JSON.stringify(text).slice(1, -1);
    }
  }
  return text;
}

export function quoteJson(text: string): string {
  return `"${escapeJson(text)}"`;
}

/**
 * The value as JSON. NaN and the infinities are strings; a bigint is a number if every reader can
 * represent it exactly, otherwise a string of digits; bytes are base64.
 */
export function jsonOf(value: FieldValue): string {
  if (typeof value === 'string') return quoteJson(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : `"${value}"`;
  if (typeof value === 'object') return jsonOfObject(value);
  if (typeof value === 'bigint') return isExact(value) ? String(value) : `"${value}"`;
  return value ? 'true' : 'false';
}

function jsonOfObject(value: FieldValue & (object | null)): string {
  if (value === null) return 'null';
  if (isBytes(value)) return `"${base64Of(value)}"`;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  let members = '';
  for (const name of Object.keys(value)) {
    const member = (value as { [name: string]: FieldValue })[name]!;
    members += `${members === '' ? '' : ','}${quoteJson(name)}:${jsonOf(member)}`;
  }
  return `{${members}}`;
}

export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function isExact(value: bigint): boolean {
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER;
}
