import { TextCache } from '@apix/contracts/internal';
import { fieldName } from '../event/reserved.js';
import { type Capture, type Hole, Template } from './template.js';
import { dotnetFormat } from './dotnet-format.js';
import { goFormat } from './go-format.js';
import type { ValueFormat } from './value-format.js';

/** Widths are at most three digits, so that a template cannot fill the memory. */
const HOLE =
  /\{([@$])?([\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*)(?:,(-?[1-9]\d{0,2}))?(?::([^{}]*))?\}/uy;
const POSITION = /^(?:0|[1-9]\d{0,3})$/;

const NO_HOLES: readonly Hole[] = [];

/** A hole as it is written. */
export interface FoundHole {
  readonly raw: string;
  readonly capture: Capture;
  readonly name: string;
  readonly alignment: number;
  readonly format: string;
}

/**
 * Parses Serilog's message templates (https://messagetemplates.org): `{Name}`, `{0}`, `{@Name}`, `{$Name}`,
 * `{Name,10}`, `{Name:format}`, and `{{` and `}}` for braces. Names may have dots. Anything else is literal
 * text: it never throws.
 */
export function parseTemplate(text: string): Template {
  const { texts, found } = splitTemplate(text);
  if (found.length === 0) return new Template(text, NO_HOLES, texts);
  const positional = found.every(({ name }) => POSITION.test(name));
  const fields = found.map(({ name }) => fieldName(name));
  const holes = found.map(({ raw, capture, name, alignment, format: specifier }, i): Hole => {
    const field = fields[i]!;
    const format = specifier === '' ? undefined : valueFormat(specifier);
    return {
      raw,
      field,
      capture,
      alignment,
      format,
      argument: positional ? Number(name) : i,
      writesField: fields.indexOf(field) === i,
      isPlain: alignment === 0 && format === undefined,
    };
  });
  return new Template(text, holes, texts);
}

/** A template whose message is exactly this text; braces in it have no meaning. */
export function literalTemplate(text: string): Template {
  return hasBraces(text)
    ? new Template(text.replaceAll(/[{}]/g, '$&$&'), NO_HOLES, [text])
    : plainTemplate(text);
}

/** The template of a text without braces. */
export function plainTemplate(text: string): Template {
  return new Template(text, NO_HOLES, [text]);
}

/** Whether a text may have holes; other texts need not be parsed. */
export function hasBraces(text: string): boolean {
  return text.indexOf('{') >= 0 || text.indexOf('}') >= 0;
}

/** The literal texts between the holes, and the holes. */
export function splitTemplate(text: string): { texts: string[]; found: FoundHole[] } {
  const texts: string[] = [];
  const found: FoundHole[] = [];
  let literal = '';
  let begin = 0;
  for (let at = nextBrace(text, 0); at < text.length; at = nextBrace(text, at)) {
    if (text[at + 1] === text[at]) {
      literal += text.slice(begin, at + 1);
      at += 2;
      begin = at;
      continue;
    }
    const hole = holeAt(text, at);
    if (hole === null) {
      at++;
      continue;
    }
    const [raw, capture = '', name, alignment = '0', format = ''] = hole;
    found.push({
      raw,
      capture: capture as Capture,
      name: name!,
      alignment: Number(alignment),
      format,
    });
    texts.push(literal + text.slice(begin, at));
    literal = '';
    at += raw.length;
    begin = at;
  }
  texts.push(literal + text.slice(begin));
  return { texts, found };
}

function holeAt(text: string, at: number): RegExpExecArray | null {
  const next = text.charCodeAt(at + 1);
  // As in JSON: no name begins with these.
  if (text[at] === '}' || next === 34 || next === 32) return null;
  HOLE.lastIndex = at;
  return HOLE.exec(text);
}

function nextBrace(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 125) return at;
  }
  return text.length;
}

/**
 * The format of a specifier, in Go's style or .NET's; undefined for an unknown one. A single letter, which
 * both have, is Go's.
 */
export function valueFormat(specifier: string): ValueFormat | undefined {
  return goFormat(specifier) ?? dotnetFormat(specifier);
}

/** Serilog's bounds. */
const cache = new TextCache<Template>({ size: 1_000, textLength: 1_024 });

/** The parsed template, from the cache if it is there; a text without braces is never cached. */
export function templateOf(text: string): Template {
  const known = cache.get(text);
  if (known !== undefined) return known;
  if (!hasBraces(text)) return plainTemplate(text);
  const template = parseTemplate(text);
  cache.keep(text, template);
  return template;
}

/** The parsed template of a text that may not be a template, and is therefore not cached. */
export function knownTemplate(text: string): Template {
  return hasBraces(text) ? (cache.get(text) ?? parseTemplate(text)) : plainTemplate(text);
}
