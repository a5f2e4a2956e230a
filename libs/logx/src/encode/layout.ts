import { shownValue } from '@apix/contracts';
import { nearestName } from '@apix/contracts/internal';
import { type FoundHole, splitTemplate } from '../template/parse-template.js';

/** The parts of a line that are not fields. */
const PARTS = ['time', 'level', 'message', 'fields', 'error', 'stack', 'caller'] as const;

export type LayoutPart = (typeof PARTS)[number];

/** A place in a layout. */
export interface LayoutHole extends Pick<FoundHole, 'alignment' | 'format'> {
  /** Undefined for a field. */
  readonly part: LayoutPart | undefined;
  /** The name of the field; that of the part if it is none. */
  readonly name: string;
}

/** A layout: `texts[0] hole[0] texts[1] … hole[n-1] texts[n]`. */
export interface Layout {
  readonly texts: readonly string[];
  readonly holes: readonly LayoutHole[];
}

/** What the holes of Serilog's output templates are called here. */
const SERILOG: ReadonlyMap<string, string> = new Map([
  ['Timestamp', '{time}'],
  ['UtcTimestamp', '{time}'],
  ['Exception', '{error}, or leave it out: errors are then written below the line'],
  ['Properties', '{fields}'],
  ['SourceContext', '{logger}'],
  ['NewLine', 'a line break'],
  ['TraceId', '{trace_id}'],
  ['SpanId', '{span_id}'],
]);

const FIELD = 'fields.';
const KNOWN = [...PARTS, 'logger'];

/**
 * Parses a layout of lines, such as `{time} {level} {logger,-20} {message} {fields}`: parts of the event and
 * names of fields, each with an optional width and format.
 *
 * @throws RangeError for a hole that is probably misspelt, a brace outside of a hole, and a layout without
 *   the message.
 */
export function parseLayout(text: string): Layout {
  const { texts, found } = splitTemplate(text);
  const literal = texts.map((each) => each.replaceAll(/[{}]/g, '$&$&'));
  if (literal.map((each, i) => each + (found[i]?.raw ?? '')).join('') !== text) {
    throw wrong(text, 'has a brace outside of a hole; write {{ or }} for a brace');
  }
  const holes = found.map((hole) => holeOf(hole, text));
  if (!holes.some(({ part }) => part === 'message')) throw wrong(text, 'must contain {message}');
  return { texts, holes };
}

function holeOf({ raw, capture, name, alignment, format }: FoundHole, text: string): LayoutHole {
  if (capture !== '') throw wrong(text, `must not have @ or $ in ${raw}`);
  const part = PARTS.find((each) => each === name);
  if (part !== undefined || name === 'logger') return { part, name, alignment, format };
  if (name.startsWith(FIELD)) {
    return { part: undefined, name: name.slice(FIELD.length), alignment, format };
  }
  const instead = SERILOG.get(name);
  if (instead !== undefined)
    throw wrong(text, `has {${name}}, which is not known here; use ${instead}`);
  const nearest = nearestName(name, KNOWN);
  if (nearest === undefined) return { part, name, alignment, format };
  throw wrong(
    text,
    `has {${name}}, which is not known here; did you mean {${nearest}}? A field of that name is {${FIELD}${name}}`,
  );
}

export function wrong(text: string, what: string): RangeError {
  return new RangeError(`logx: the layout ${shownValue(text)} ${what}`);
}
