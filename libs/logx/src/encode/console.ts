import { Level } from '../levels/level.js';
import type { Event } from '../event/event.js';
import { type FieldStyle, type Scope, scopeTexts, textOfFields } from '../event/scope.js';
import { plainText } from '../value/plain-text.js';
import type { FieldValue } from '../value/field-value.js';
import { consoleText, consoleWord } from './console-text.js';
import type { Encoder, LineOptions } from './encoder.js';
import type { TimeFormat } from './time-format.js';
import { timeWriter } from './time-text.js';

const TAGS: Readonly<Record<Level, string>> = {
  [Level.Verbose]: 'TRC',
  [Level.Debug]: 'DBG',
  [Level.Information]: 'INF',
  [Level.Warning]: 'WRN',
  [Level.Error]: 'ERR',
  [Level.Fatal]: 'FTL',
};

const COLORS: Readonly<Record<Level, number>> = {
  [Level.Verbose]: 90,
  [Level.Debug]: 36,
  [Level.Information]: 32,
  [Level.Warning]: 33,
  [Level.Error]: 31,
  [Level.Fatal]: 35,
};
const DIM = 2;
const RED = 31;

/** Colours a text; without colours, returns it unchanged. */
type Paint = (text: string, color: number) => string;

const colored: Paint = (text, color) => `\u001b[${color}m${text}\u001b[0m`;
const plain: Paint = (text) => text;

const PLAIN = paintedWith(plain);
const COLORED = paintedWith(colored);

function paintedWith(paint: Paint): {
  readonly paint: Paint;
  readonly style: FieldStyle;
  readonly scopeText: (scope: Scope) => string;
} {
  const style: FieldStyle = {
    rename: (field) => field,
    write: (field, value) => ` ${paint(`${consoleWord(field)}=`, DIM)}${valueWord(value)}`,
  };
  return { paint, style, scopeText: scopeTexts(style) };
}

/**
 * The `console` format, for human readers: time, level, message, the fields that are not in the message,
 * then the error, with its stack on separate lines. Logged text cannot move the cursor or look like a
 * separate line: control characters are escaped, further lines are indented.
 */
export function consoleEncoder(
  { message, time }: LineOptions,
  timeFormat: TimeFormat,
  color: boolean,
): Encoder {
  const { paint, style, scopeText } = color ? COLORED : PLAIN;
  const writeTime = timeWriter(timeFormat);
  const tags = Object.fromEntries(
    Object.entries(TAGS).map(([level, tag]) => [level, paint(tag, COLORS[Number(level) as Level])]),
  );
  const text = (event: Event): string => {
    const { parsed, scope, error, stack, caller } = event;
    let line = time ? paint(consoleText(unquoted(writeTime(event.time))), DIM) + ' ' : '';
    line += tags[event.level]! + ' ';
    line += consoleText(message ? event.message : parsed.text);
    line +=
      message && !event.hidesScope
        ? scopeText(scope) + extrasText(event, style)
        : textOfFields(message ? event.fieldsBesideMessage : event.fields, style);
    if (caller !== undefined)
      line += paint(` (${consoleText(`${caller.file}:${caller.line}`)})`, DIM);
    if (error !== undefined) line += '\n    ' + paint(consoleText(error), RED);
    if (stack !== undefined) line += '\n    ' + paint(consoleText(stack), DIM);
    return line + '\n';
  };
  return { text };
}

function extrasText({ extras }: Event, style: FieldStyle): string {
  return extras.size === 0 ? '' : textOfFields(extras.fields, style);
}

function valueWord(value: FieldValue): string {
  return typeof value === 'string' ? consoleWord(value) : consoleText(plainText(value));
}

function unquoted(time: string): string {
  return time.startsWith('"') ? time.slice(1, -1) : time;
}
