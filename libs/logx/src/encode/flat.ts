import { onceForText } from '@apix/contracts/internal';
import { CAUSED_BY } from '../event/error-text.js';
import type { Event } from '../event/event.js';
import { type FieldStyle, type Scope, scopeTexts, textOfFields } from '../event/scope.js';
import { levelName } from '../levels/level.js';
import { Prepared } from '../template/prepared.js';
import type { Template } from '../template/template.js';
import type { LineEncoder, LineOptions } from './encoder.js';
import type { FlatDialect } from './flat-dialect.js';
import { type KnownParts, type KnownWriter, knownFormat } from './flat-known.js';
import { textWriter } from './flat-text.js';
import type { FieldValue } from '../value/field-value.js';
import { escapeJson, quoteJson } from '../value/json-text.js';
import { isNested } from '../value/taken-value.js';
import { writeJson, writeQuoted } from './json-bytes.js';
import { type Fragment, fragmentOf, type LineBuffer } from './line-buffer.js';
import type { TimeFormat } from './time-format.js';
import { timeWriter } from './time-text.js';

/**
 * The part of lines between their head and their first value: the fields of the scope and the template's
 * field. It is kept from the second time in a row that the scope is the same; most scopes are of one
 * request and are used once.
 */
interface Lead {
  /** The template's field; for a template without holes, the part before its text. */
  readonly template: Fragment;
  scope: Scope | undefined;
  bytes: Fragment | undefined;
}

/** The parts that an encoder prepares for a template with holes, and for all templates without. */
interface FlatPlan {
  /** The text before each value; empty if another hole writes the value. */
  readonly keys: readonly Fragment[];
  /**
   * The texts around the values in the message, the first of which begins with the message's name; for a
   * template without holes, only this name.
   */
  readonly texts: readonly Fragment[];
  readonly lead: Lead;
}

const EMPTY: Fragment = fragmentOf('');
const QUOTE = 0x22;
const END = fragmentOf('}\n');
const CAUSE = fragmentOf(escapeJson(CAUSED_BY));

/** Creates encoders that join parts prepared for levels, templates and scopes. */
export function flatFormat(
  dialect: FlatDialect,
): (options: LineOptions, timeFormat: TimeFormat) => LineEncoder {
  const scopeText = scopeTexts(dialect.style);
  const keyOf = onceForText((field) => fragmentOf(`,${quoteJson(dialect.style.rename(field))}:`));
  const parts: PreparedParts = {
    planOf: Prepared.by((template: Template) => planFor(template, dialect, keyOf)),
    keyOf,
    scopeText,
    leadOf: Prepared.by((_scope: Scope) => newLead(`${dialect.template}"`)),
    knownWriterOf: knownFormat(dialect, { keyOf, scopeText }),
  };
  return (options, timeFormat) => flatEncoder(dialect, parts, options, timeFormat);
}

interface PreparedParts {
  readonly planOf: (template: Template) => FlatPlan;
  /** The text before the value of a field. */
  readonly keyOf: (field: string) => Fragment;
  /** The fields of a scope. */
  readonly scopeText: (scope: Scope) => string;
  /** The start of lines of bare texts with the scope. */
  readonly leadOf: (scope: Scope) => Lead;
  readonly knownWriterOf: (parts: KnownParts) => KnownWriter;
}

function flatEncoder(
  dialect: FlatDialect,
  { planOf, keyOf, scopeText, leadOf, knownWriterOf }: PreparedParts,
  options: LineOptions,
  timeFormat: TimeFormat,
): LineEncoder {
  const { style, messageFirst } = dialect;
  const constant = fragmentOf(dialect.constant);
  const headOf = headWriter(dialect, options, timeFormat);
  const { message } = options;
  const writeKnown = knownWriterOf({ headOf, message });
  const textPlan = planForTexts(dialect);
  /**
   * Where the value of each hole begins and ends in the line; for a template without holes, the first item
   * is its text. -1 if it is not in the line.
   */
  const starts: number[] = [];
  const ends: number[] = [];
  const writeLine = (event: Event, line: LineBuffer): void => {
    const { isText, holes, extras } = event;
    const plan = isText ? textPlan : planOf(event.parsed);
    for (let i = 0; i <= holes.length; i++) starts[i] = -1;
    line.begin(headOf(event));
    if (messageFirst && message) writeMessage(event, plan.texts, line, starts, ends);
    const added = event.isBare ? undefined : dialect.additions?.(event);
    const isPlain =
      added === undefined && !event.hidesScope && !(dialect.isSpecial?.(event) ?? false);
    if (isPlain) {
      writeLead(event.scope, plan.lead, line);
      if (isText) writeTemplateText(event, line, starts, ends);
      writeValues(event, plan.keys, line, starts, ends);
      if (extras.names.length > 0) writeExtras(event, keyOf, line);
    } else {
      line.add(constant);
      line.addText(fieldsText(event, style, added));
      line.add(plan.lead.template);
      if (isText) writeTemplateText(event, line, starts, ends);
    }
    if (!messageFirst && message) writeMessage(event, plan.texts, line, starts, ends);
    if (event.isBare) line.add(END);
    else writeTail(event, dialect, line);
  };
  /** Writes the fields of the scope, then the template. */
  const writeLead = (scope: Scope, lead: Lead, line: LineBuffer): void => {
    if (lead.bytes !== undefined && lead.scope === scope) return line.add(lead.bytes);
    const start = line.end;
    line.add(constant);
    line.addText(scopeText(scope));
    line.add(lead.template);
    lead.bytes = lead.scope === scope ? line.copyFrom(start) : undefined;
    lead.scope = scope;
  };
  const writeTextLead = (scope: Scope, line: LineBuffer): void =>
    writeLead(scope, leadOf(scope), line);
  const writeBareText = textWriter(dialect, { headOf, writeLead: writeTextLead, message });
  const bytes = (event: Event, line: LineBuffer): void => {
    // A separate function, so that the engine optimises each of them on its own.
    if (event.isBareText) writeBareText(event, line);
    else if (event.known === undefined || !writeKnown(event, event.known, line))
      writeLine(event, line);
  };
  return { bytes };
}

/** Writes the start of the line, level and time; it is prepared again when the time changes. */
function headWriter(
  dialect: FlatDialect,
  options: LineOptions,
  timeFormat: TimeFormat,
): (event: Event) => Fragment {
  const writeTime = timeWriter(timeFormat);
  const known: { [level: number]: { readonly time: string; readonly head: Fragment } } = {};
  return ({ level, time }) => {
    const text = options.time ? writeTime(time) : '';
    const last = known[level];
    if (last !== undefined && last.time === text) return last.head;
    const head = fragmentOf(dialect.head(levelName(level), text));
    return (known[level] = { time: text, head }).head;
  };
}

/** A separate function, so that only the events that need it make a function for it. */
function fieldsText(
  event: Event,
  style: FieldStyle,
  added: ReadonlyMap<string, FieldValue> | undefined,
): string {
  return textOfFields(event.fields, style, (field) => event.hasArgument(field), added);
}

function writeValues(
  { values, holes }: Event,
  keys: readonly Fragment[],
  line: LineBuffer,
  starts: number[],
  ends: number[],
): void {
  for (let i = 0; i < keys.length; i++) {
    const value = values[i];
    const key = keys[i]!;
    if (value === undefined || key === EMPTY) continue;
    line.add(key);
    const begin = line.end;
    writeJson(value, line);
    if (!holes[i]!.isPlain) continue;
    if (typeof value === 'string') {
      starts[i] = begin + 1;
      ends[i] = line.end - 1;
    } else if ((typeof value === 'number' && Number.isFinite(value)) || isNested(value)) {
      starts[i] = begin;
      ends[i] = line.end;
    }
  }
}

/** Ends the template's field for a template without holes. */
function writeTemplateText(
  { template, firstText }: Event,
  line: LineBuffer,
  starts: number[],
  ends: number[],
): void {
  if (template === firstText) writeText(template, line, starts, ends);
  else line.addEscaped(template);
  line.addByte(QUOTE);
}

/** Writes the text of a template without holes, or copies it if it is in the line already. */
function writeText(text: string, line: LineBuffer, starts: number[], ends: number[]): void {
  const start = starts[0] ?? -1;
  if (start >= 0) return line.addAgain(start, ends[0]!);
  starts[0] = line.end;
  line.addEscaped(text);
  ends[0] = line.end;
}

/** The message; values that are in the line already are copied from there. */
function writeMessage(
  event: Event,
  texts: readonly Fragment[],
  line: LineBuffer,
  starts: number[],
  ends: number[],
): void {
  const { values, holes, isText } = event;
  line.add(texts[0]!);
  if (isText) writeText(event.firstText, line, starts, ends);
  for (let i = 0; i < holes.length; i++) {
    const start = starts[i] ?? -1;
    if (start < 0) line.addEscaped(event.textOf(holes[i]!, i));
    else if (typeof values[i] === 'object') line.addAgainEscaped(start, ends[i]!);
    else line.addAgain(start, ends[i]!);
    line.add(texts[i + 1]!);
  }
  line.addByte(QUOTE);
}

function planFor(
  template: Template,
  dialect: FlatDialect,
  keyOf: PreparedParts['keyOf'],
): FlatPlan {
  return {
    keys: template.holes.map(({ field, writesField }) => (writesField ? keyOf(field) : EMPTY)),
    texts: template.textsJson.map((text, i) =>
      fragmentOf(i === 0 ? `${dialect.message}"${text}` : text),
    ),
    lead: newLead(dialect.template + template.json),
  };
}

/** The plan of all templates without holes: the text follows the template's field and the message's name. */
function planForTexts(dialect: FlatDialect): FlatPlan {
  return {
    keys: [],
    texts: [fragmentOf(`${dialect.message}"`)],
    lead: newLead(`${dialect.template}"`),
  };
}

function newLead(template: string): Lead {
  return { template: fragmentOf(template), scope: undefined, bytes: undefined };
}

function writeExtras({ extras }: Event, keyOf: PreparedParts['keyOf'], line: LineBuffer): void {
  const { names, values } = extras;
  for (let i = 0; i < names.length; i++) {
    line.add(keyOf(names[i]!));
    writeJson(values[i]!, line);
  }
}

function writeTail(
  { error, errorType, stacks, caller }: Event,
  dialect: FlatDialect,
  line: LineBuffer,
): void {
  if (error !== undefined) writeNamed(dialect.error, error, line);
  if (errorType !== undefined && dialect.errorType !== undefined) {
    writeNamed(dialect.errorType, errorType, line);
  }
  if (stacks !== undefined) writeStacks(dialect.stack, stacks, line);
  if (caller !== undefined) line.addText(dialect.caller(caller));
  line.add(END);
}

function writeStacks(name: string, stacks: readonly string[], line: LineBuffer): void {
  line.addText(name);
  line.addByte(QUOTE);
  for (let i = 0; i < stacks.length; i++) {
    if (i > 0) line.add(CAUSE);
    line.addEscaped(stacks[i]!);
  }
  line.addByte(QUOTE);
}

function writeNamed(name: string, text: string, line: LineBuffer): void {
  line.addText(name);
  writeQuoted(text, line);
}
