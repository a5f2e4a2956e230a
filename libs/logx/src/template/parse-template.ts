import { fieldName } from '../event/reserved.js';
import { type Capture, type Hole, Template } from './template.js';
import { dotnetFormat } from './dotnet-format.js';
import { goFormat } from './go-format.js';
import type { ValueFormat } from './value-format.js';

/** Widths are at most three digits, so that a template cannot fill the memory. */
const HOLE =
  /\{([@$])?([\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*)(?:,(-?[1-9]\d{0,2}))?(?::([^{}]*))?\}/uy;
const POSITION = /^(?:0|[1-9]\d{0,3})$/;

interface FoundHole {
  readonly raw: string;
  readonly capture: Capture;
  readonly name: string;
  readonly alignment: number;
  readonly format: string;
}

/**
 * Parses Serilog's message templates (https://messagetemplates.org): `{Name}`, `{0}`, `{@Name}`,
 * `{$Name}`, `{Name,10}`, `{Name:format}`, and `{{` and `}}` for braces. Names may have dots.
 * Whatever is no hole is text: it never throws.
 */
export function parseTemplate(text: string): Template {
  const { texts, found } = split(text);
  const positional = found.length > 0 && found.every(({ name }) => POSITION.test(name));
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

/** A template that says just this text, whatever braces are in it. */
export function literalTemplate(text: string): Template {
  return new Template(text.replaceAll(/[{}]/g, '$&$&'), [], [text]);
}

function split(text: string): { texts: string[]; found: FoundHole[] } {
  const texts: string[] = [];
  const found: FoundHole[] = [];
  let literal = '';
  let from = 0;
  for (;;) {
    const at = nextBrace(text, from);
    literal += text.slice(from, at);
    if (at === text.length) break;
    HOLE.lastIndex = at;
    const hole = text[at + 1] === text[at] ? null : HOLE.exec(text);
    if (hole === null) {
      literal += text[at]!;
      from = at + (text[at + 1] === text[at] ? 2 : 1);
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
    texts.push(literal);
    literal = '';
    from = HOLE.lastIndex;
  }
  texts.push(literal);
  return { texts, found };
}

function nextBrace(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 125) return at;
  }
  return text.length;
}

/**
 * The format that a specifier stands for, in Go's style or .NET's; undefined for an unknown one.
 * What both know, a single letter, is Go's.
 */
export function valueFormat(specifier: string): ValueFormat | undefined {
  return goFormat(specifier) ?? dotnetFormat(specifier);
}
