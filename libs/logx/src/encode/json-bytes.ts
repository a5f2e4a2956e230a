import { type FieldValue, isBytes } from '../value/field-value.js';
import { jsonOf } from '../value/json-text.js';
import type { LineBuffer } from './line-buffer.js';

const COMMA = 0x2c;
const COLON = 0x3a;
const LIST_BEGIN = 0x5b;
const LIST_END = 0x5d;
const MEMBERS_BEGIN = 0x7b;
const MEMBERS_END = 0x7d;

/** Writes what {@link jsonOf} makes of the value, without a text between. */
export function writeJson(value: FieldValue, line: LineBuffer): void {
  if (typeof value === 'string') writeQuoted(value, line);
  else if (typeof value === 'number' && Number.isFinite(value)) line.addNumber(value);
  else if (isNested(value)) writeNested(value, line);
  else line.addText(jsonOf(value));
}

/** A list, or an object with members. */
type NestedValue = readonly FieldValue[] | { readonly [name: string]: FieldValue };

/** Whether the value has values in it; its JSON is its text in messages, too. */
export function isNested(value: FieldValue): value is NestedValue {
  return typeof value === 'object' && value !== null && !isBytes(value);
}

/** Writes what {@link jsonOf} makes of a text. */
export function writeQuoted(text: string, line: LineBuffer): void {
  line.addQuoted(text);
}

function writeNested(nested: NestedValue, line: LineBuffer): void {
  if (isList(nested)) {
    line.addByte(LIST_BEGIN);
    for (let i = 0; i < nested.length; i++) {
      if (i > 0) line.addByte(COMMA);
      writeJson(nested[i]!, line);
    }
    return line.addByte(LIST_END);
  }
  const names = Object.keys(nested);
  line.addByte(MEMBERS_BEGIN);
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    if (i > 0) line.addByte(COMMA);
    line.addQuoted(name);
    line.addByte(COLON);
    writeJson(nested[name]!, line);
  }
  line.addByte(MEMBERS_END);
}

function isList(nested: NestedValue): nested is readonly FieldValue[] {
  return Array.isArray(nested);
}
