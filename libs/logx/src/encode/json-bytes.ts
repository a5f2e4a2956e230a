import { type FieldValue, isBytes } from '../value/field-value.js';
import { jsonOf } from '../value/json-text.js';
import { memberKey } from './field-keys.js';
import type { LineBuffer } from './line-buffer.js';

const COMMA = 0x2c;
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
  if (names.length === 0) line.addByte(MEMBERS_BEGIN);
  const start = line.end;
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    line.add(memberKey(name));
    writeJson(nested[name]!, line);
  }
  // In the place of the comma that each key begins with.
  if (names.length > 0) line.bytes[start] = MEMBERS_BEGIN;
  line.addByte(MEMBERS_END);
}

function isList(nested: NestedValue): nested is readonly FieldValue[] {
  return Array.isArray(nested);
}
