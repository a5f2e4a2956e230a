import { type Option, parsedOption } from '@apix/contracts/internal';
import { shownValue } from '@apix/contracts';
import type { Event } from '../event/event.js';
import { textOfFields } from '../event/scope.js';
import { type Level, LEVELS, levelName } from '../levels/level.js';
import { valueFormat } from '../template/parse-template.js';
import { plainText } from '../value/plain-text.js';
import {
  COLORS,
  type ConsoleStyle,
  consoleStyle,
  consoleTimeWriter,
  DIM,
  errorLines,
  RED,
  TAGS,
} from './console-style.js';
import { consoleText } from './console-text.js';
import type { LineEncoder, LineOptions } from './encoder.js';
import { type Layout, type LayoutHole, parseLayout, wrong } from './layout.js';
import { parseTimeFormat, type TimeFormat } from './time-format.js';

/** Writes a hole: its text, and the text in its colour. */
interface Piece {
  readonly text: (event: Event) => string;
  readonly color?: (event: Event) => number;
}

interface LayoutSettings {
  readonly layout: string;
  readonly line: LineOptions;
  readonly timeFormat: TimeFormat;
  readonly style: ConsoleStyle;
}

/** The allowed values of a layout: a text whose holes are known, each with a format that it can have. */
export const LAYOUT: Option<string> = parsedOption(
  (value) => {
    if (typeof value !== 'string')
      throw new TypeError(`must be a layout, not ${shownValue(value)}`);
    piecesOf(value, {
      layout: value,
      line: { message: true, time: true, ecs: { requests: false, keepObjects: false } },
      timeFormat: 'TimeRFC3339',
      style: consoleStyle(false),
    });
    return value;
  },
  { type: 'string', pattern: '\\{message[,:}]' },
);

// Why: docs/decisions/0404
/**
 * The `console` format in a layout of its own. Fields are only written where the layout says so; the error
 * and the stack, unless it has a place for them, on lines below. What is logged cannot look like a separate
 * line, as in the format without a layout.
 */
export function layoutEncoder(
  layout: string,
  line: LineOptions,
  timeFormat: TimeFormat,
  color: boolean,
): LineEncoder {
  const style = consoleStyle(color);
  const { texts, holes, pieces } = piecesOf(layout, { layout, line, timeFormat, style });
  const has = (part: string): boolean => holes.some((hole) => hole.part === part);
  const [showsError, showsStack] = [has('error'), has('stack')];
  const text = (event: Event): string => {
    let shown = texts[0]!;
    for (let i = 0; i < holes.length; i++) {
      const { text: write, color: colorOf } = pieces[i]!;
      const part = aligned(write(event), holes[i]!.alignment);
      shown += part === '' || colorOf === undefined ? part : style.paint(part, colorOf(event));
      shown += texts[i + 1]!;
    }
    const { error, stack } = event;
    const below = errorLines(
      { error: showsError ? undefined : error, stack: showsStack ? undefined : stack },
      style.paint,
    );
    return `${shown.trimEnd()}${below}\n`;
  };
  return { text };
}

function piecesOf(
  text: string,
  settings: LayoutSettings,
): Layout & { readonly pieces: readonly Piece[] } {
  const layout = parseLayout(text);
  return { ...layout, pieces: layout.holes.map((hole) => pieceOf(hole, layout, settings)) };
}

function pieceOf(hole: LayoutHole, { holes }: Layout, settings: LayoutSettings): Piece {
  const { layout, line, style } = settings;
  if (hole.part === 'time') return timePiece(hole, settings);
  if (hole.part === 'level') return levelPiece(hole, layout);
  if (hole.part === undefined) return fieldPiece(hole, layout);
  if (hole.format !== '') throw wrong(layout, `must not have a format in {${hole.name}}`);
  switch (hole.part) {
    case 'message':
      return { text: (event) => consoleText(line.message ? event.message : event.parsed.text) };
    case 'error':
      return { text: ({ error }) => consoleText(error ?? ''), color: () => RED };
    case 'stack':
      return { text: ({ stack }) => consoleText(stack ?? ''), color: () => DIM };
    case 'caller':
      return {
        text: ({ caller }) =>
          caller === undefined ? '' : consoleText(`${caller.file}:${caller.line}`),
        color: () => DIM,
      };
    case 'fields': {
      const shown = new Set(holes.flatMap(({ part, name }) => (part === undefined ? [name] : [])));
      return {
        text: (event) => {
          const fields = new Map(line.message ? event.fieldsBesideMessage : event.fields);
          for (const name of shown) fields.delete(name);
          return textOfFields(fields, style.style).slice(1);
        },
      };
    }
  }
}

function timePiece({ format }: LayoutHole, { line, timeFormat }: LayoutSettings): Piece {
  if (!line.time) return { text: () => '' };
  const write = consoleTimeWriter(format === '' ? timeFormat : parseTimeFormat(format));
  return { text: ({ time }) => write(time), color: () => DIM };
}

const CASES: Readonly<Record<string, (name: string) => string>> = {
  u: (name) => name.toUpperCase(),
  w: (name) => name.toLowerCase(),
  t: (name) => name[0]!.toUpperCase() + name.slice(1).toLowerCase(),
};

/** `u3` is INF, `w3` inf and `t3` Inf; without the 3 the whole name: INFO, info, Info. */
function levelPiece({ format }: LayoutHole, layout: string): Piece {
  const [, letter = '', three] = /^([uwt])(3?)$/.exec(format === '' ? 'u3' : format) ?? [];
  const inCase = CASES[letter];
  if (inCase === undefined) {
    throw wrong(
      layout,
      `has the format ${shownValue(format)} of a level; use u3, w3, t3, u, w or t`,
    );
  }
  const names = new Map<Level, string>(
    LEVELS.map((level) => [level, inCase(three === '3' ? TAGS[level] : levelName(level))]),
  );
  return { text: ({ level }) => names.get(level)!, color: ({ level }) => COLORS[level] };
}

function fieldPiece({ name, format }: LayoutHole, layout: string): Piece {
  const inFormat = format === '' ? undefined : valueFormat(format);
  if (format !== '' && inFormat === undefined) {
    throw wrong(layout, `has the unknown format ${shownValue(format)} in {${name}}`);
  }
  return {
    text: ({ fields }) => {
      const value = fields.get(name);
      return value === undefined ? '' : consoleText(inFormat?.(value) ?? plainText(value));
    },
  };
}

function aligned(text: string, width: number): string {
  return width >= 0 ? text.padStart(width) : text.padEnd(-width);
}
