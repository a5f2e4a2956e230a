import { Prepared } from '../template/prepared.js';
import type { FieldValue } from '../value/field-value.js';
import { jsonOf, quoteJson } from '../value/json-text.js';
import { isList, isNested, TakenMembers, type TakenValue } from '../value/taken-value.js';
import type { Shape } from '../value/shape.js';
import { type Fragment, fragmentOf, type LineBuffer } from './line-buffer.js';

const COMMA = 0x2c;
const COLON = 0x3a;
const LIST_BEGIN = 0x5b;
const LIST_END = 0x5d;
const MEMBERS_BEGIN = 0x7b;
const MEMBERS_END = 0x7d;
const TRUE: Fragment = fragmentOf('true');
const FALSE: Fragment = fragmentOf('false');

/** The text before the value of each member: a brace or comma, and the member's name. */
const keysOf = Prepared.by((shape: Shape): readonly Fragment[] =>
  shape.names.map((name, i) => fragmentOf(`${i === 0 ? '{' : ','}${quoteJson(name)}:`)),
);

/** Writes the result of {@link jsonOf} for the value, without creating a text first. */
export function writeJson(value: TakenValue, line: LineBuffer): void {
  if (typeof value === 'string') line.addQuoted(value);
  else if (typeof value === 'number' && Number.isFinite(value)) writeNumber(value, line);
  else if (value === true) line.add(TRUE);
  else if (value === false) line.add(FALSE);
  else if (value instanceof TakenMembers) writeMembers(value, line);
  else if (isNested(value)) writeNested(value, line);
  else line.addText(jsonOf(value));
}

function writeNumber(value: number, line: LineBuffer): void {
  if (Number.isInteger(value)) line.addNumber(value);
  else line.addThousandths(value);
}

/** Writes the result of {@link jsonOf} for a text. */
export function writeQuoted(text: string, line: LineBuffer): void {
  line.addQuoted(text);
}

function writeMembers({ names, values, shape }: TakenMembers, line: LineBuffer): void {
  if (shape === undefined) return writeNamed(names, values, line);
  const keys = keysOf(shape);
  for (let i = 0; i < keys.length; i++) {
    line.add(keys[i]!);
    writeJson(values[i]!, line);
  }
  line.addByte(MEMBERS_END);
}

function writeNested(
  nested: readonly TakenValue[] | { readonly [name: string]: FieldValue },
  line: LineBuffer,
): void {
  if (!isList(nested)) return writeNamed(Object.keys(nested), Object.values(nested), line);
  line.addByte(LIST_BEGIN);
  for (let i = 0; i < nested.length; i++) {
    if (i > 0) line.addByte(COMMA);
    writeJson(nested[i]!, line);
  }
  line.addByte(LIST_END);
}

function writeNamed(
  names: readonly string[],
  values: readonly TakenValue[],
  line: LineBuffer,
): void {
  line.addByte(MEMBERS_BEGIN);
  for (let i = 0; i < names.length; i++) {
    if (i > 0) line.addByte(COMMA);
    line.addQuoted(names[i]!);
    line.addByte(COLON);
    writeJson(values[i]!, line);
  }
  line.addByte(MEMBERS_END);
}
