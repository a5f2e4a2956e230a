import type { Event } from '../event/event.js';
import { type FieldStyle, textOfFields } from '../event/scope.js';
import type { Level } from '../levels/level.js';
import { COLORS, consoleStyle, consoleTimeWriter, DIM, errorLines, TAGS } from './console-style.js';
import { consoleText } from './console-text.js';
import type { LineEncoder, LineOptions } from './encoder.js';
import type { TimeFormat } from './time-format.js';

/**
 * The `console` format, for human readers: time, level, message, the fields that are not in the message,
 * then the error, with its stack on separate lines. Logged text cannot move the cursor or look like a
 * separate line: control characters are escaped, further lines are indented.
 */
export function consoleEncoder(
  { message, time }: LineOptions,
  timeFormat: TimeFormat,
  color: boolean,
): LineEncoder {
  const { paint, style, scopeText } = consoleStyle(color);
  const writeTime = consoleTimeWriter(timeFormat);
  const tags = Object.fromEntries(
    Object.entries(TAGS).map(([level, tag]) => [level, paint(tag, COLORS[Number(level) as Level])]),
  );
  const text = (event: Event): string => {
    const { parsed, scope, error, stack, caller } = event;
    let line = time ? paint(writeTime(event.time), DIM) + ' ' : '';
    line += tags[event.level]! + ' ';
    line += consoleText(message ? event.message : parsed.text);
    line +=
      message && !event.hidesScope
        ? scopeText(scope) + extrasText(event, style)
        : textOfFields(message ? event.fieldsBesideMessage : event.fields, style);
    if (caller !== undefined)
      line += paint(` (${consoleText(`${caller.file}:${caller.line}`)})`, DIM);
    return (
      (error === undefined && stack === undefined ? line : line + errorLines(event, paint)) + '\n'
    );
  };
  return { text };
}

function extrasText({ extras }: Event, style: FieldStyle): string {
  return extras.names.length === 0 ? '' : textOfFields(extras.fields, style);
}
