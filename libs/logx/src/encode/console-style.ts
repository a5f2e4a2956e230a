import { type FieldStyle, type Scope, scopeTexts } from '../event/scope.js';
import { Level } from '../levels/level.js';
import type { FieldValue } from '../value/field-value.js';
import { plainText } from '../value/plain-text.js';
import { consoleLine, consoleText, consoleWord } from './console-text.js';
import type { TimeFormat } from './time-format.js';
import { plainTimeWriter, type TimeWriter } from './time-text.js';

/** The short names of the levels. */
export const TAGS: Readonly<Record<Level, string>> = {
  [Level.Verbose]: 'TRC',
  [Level.Debug]: 'DBG',
  [Level.Information]: 'INF',
  [Level.Warning]: 'WRN',
  [Level.Error]: 'ERR',
  [Level.Fatal]: 'FTL',
};

export const COLORS: Readonly<Record<Level, number>> = {
  [Level.Verbose]: 90,
  [Level.Debug]: 36,
  [Level.Information]: 32,
  [Level.Warning]: 33,
  [Level.Error]: 31,
  [Level.Fatal]: 35,
};
export const DIM = 2;
export const RED = 31;

/** Colours a text; without colours, returns it unchanged. */
export type Paint = (text: string, color: number) => string;

const colored: Paint = (text, color) => `\u001b[${color}m${text}\u001b[0m`;
const plain: Paint = (text) => text;

const PLAIN = paintedWith(plain);
const COLORED = paintedWith(colored);

/** How the parts of lines are written, with or without colours. */
export interface ConsoleStyle {
  readonly paint: Paint;
  readonly style: FieldStyle;
  readonly scopeText: (scope: Scope) => string;
}

export function consoleStyle(color: boolean): ConsoleStyle {
  return color ? COLORED : PLAIN;
}

function paintedWith(paint: Paint): ConsoleStyle {
  const style: FieldStyle = {
    rename: (field) => field,
    write: (field, value) => ` ${paint(`${consoleWord(field)}=`, DIM)}${valueWord(value)}`,
  };
  return { paint, style, scopeText: scopeTexts(style) };
}

function valueWord(value: FieldValue): string {
  return typeof value === 'string' ? consoleWord(value) : consoleText(plainText(value));
}

/** Lines below the first: the error and its stack. */
export function errorLines(
  { error, stack }: { readonly error?: string | undefined; readonly stack?: string | undefined },
  paint: Paint,
): string {
  let lines = '';
  if (error !== undefined) lines += '\n    ' + paint(consoleText(error), RED);
  if (stack !== undefined) lines += '\n    ' + paint(consoleText(stack), DIM);
  return lines;
}

/** Writes times for a console. */
export function consoleTimeWriter(format: TimeFormat): TimeWriter {
  return plainTimeWriter(format, consoleLine);
}
