import type { Event } from '../event/event.js';
import type { Scope } from '../event/scope.js';
import { Prepared } from '../template/prepared.js';
import type { Template } from '../template/template.js';
import type { FieldValue } from '../value/field-value.js';
import type { TakenValue } from '../value/taken-value.js';
import { anyValueOf, textBeforeValue } from './any-value.js';

/** An attribute of a record, and its text. */
interface Attribute {
  readonly key: string;
  readonly text: string;
}

/** An attribute that comes from a template: its text, or the part before the hole's value. */
interface TemplateAttribute extends Attribute {
  /** The index of the hole; -1 if the text is complete. */
  readonly hole: number;
}

/** Names of attributes that are not fields, and the empty one, which OpenTelemetry does not allow. */
const TAKEN =
  /^(?:exception\.message|exception\.stacktrace|code\.filepath|code\.lineno|log\.template|)_*$/;

const TRACE_FIELDS: ReadonlyMap<string, { readonly name: string; readonly id: RegExp }> = new Map([
  ['trace_id', { name: 'traceId', id: /^(?!0+$)[\da-f]{32}$/i }],
  ['span_id', { name: 'spanId', id: /^(?!0+$)[\da-f]{16}$/i }],
]);

/** The event's attributes, sorted by key, and the text of those that become fields of the record. */
export function attributesOf(event: Event): {
  readonly attributes: string;
  readonly trace: string;
} {
  const { scope, parsed } = event;
  if (event.extras.names.length > 0 || isUnusual(event) || event.hidesScope) return gathered(event);
  const ofScope = planOfScope(scope);
  const ofTemplate = planOfTemplate(parsed);
  if (ofTemplate === null) return gathered(event);
  return { attributes: merged(ofScope.attributes, ofTemplate, event), trace: ofScope.trace };
}

function isUnusual({ error, stacks, caller }: Event): boolean {
  return error !== undefined || stacks !== undefined || caller !== undefined;
}

/** Both lists are sorted. */
function merged(
  scope: readonly Attribute[],
  template: readonly TemplateAttribute[],
  event: Event,
): string {
  let text = '';
  let i = 0;
  for (const attribute of template) {
    const { hole, key } = attribute;
    const value = hole < 0 ? null : event.values[hole];
    if (value === undefined) continue;
    for (; i < scope.length && scope[i]!.key < key; i++) text += comma(text) + scope[i]!.text;
    text += comma(text) + attribute.text;
    if (hole < 0) continue;
    text +=
      typeof value === 'string'
        ? '{"stringValue":' + event.valuesJson[hole]! + '}}'
        : anyValueOf(value) + '}';
  }
  for (; i < scope.length; i++) text += comma(text) + scope[i]!.text;
  return text;
}

function comma(text: string): string {
  return text === '' ? '' : ',';
}

/** The general way, for events with more than a scope and a template. */
function gathered(event: Event): { attributes: string; trace: string } {
  const { attributes, trace } = sorted(event.takenFields, fixedOf(event));
  return { attributes: attributes.map(({ text }) => text).join(','), trace };
}

function fixedOf({ parsed, error, stack, caller }: Event): Attribute[] {
  const fixed = [templateAttribute(parsed)];
  const add = (key: string, value: FieldValue): unknown => fixed.push(attributeOf(key, value));
  if (error !== undefined) add('exception.message', error);
  if (stack !== undefined) add('exception.stacktrace', stack);
  if (caller !== undefined) {
    add('code.filepath', caller.file);
    add('code.lineno', caller.line);
  }
  return fixed;
}

function sorted(
  fields: ReadonlyMap<string, TakenValue>,
  attributes: Attribute[],
): { attributes: Attribute[]; trace: string } {
  let trace = '';
  for (const [field, value] of fields) {
    const { name, id } = TRACE_FIELDS.get(field) ?? {};
    if (id !== undefined && typeof value === 'string' && id.test(value)) {
      trace += `,"${name}":"${value}"`;
    } else {
      attributes.push(attributeOf(attributeKey(field), value));
    }
  }
  return { attributes: attributes.toSorted(byKey), trace };
}

const planOfScope = Prepared.by((scope: Scope) => sorted(scope.all, []));
const planOfHoles = Prepared.by(attributesOfTemplate);

/** A template without holes is usually used once, and its only attribute is quickly created. */
function planOfTemplate(template: Template): readonly TemplateAttribute[] | null {
  return template.isText ? attributesOfTemplate(template) : planOfHoles(template);
}

/** Null for a template with a hole that may be promoted. */
function attributesOfTemplate(template: Template): readonly TemplateAttribute[] | null {
  if (template.isText) return [{ ...templateAttribute(template), hole: -1 }];
  if (template.holes.some(({ field }) => TRACE_FIELDS.has(field))) return null;
  const ofHoles = template.holes.flatMap(({ field, writesField }, hole) => {
    const key = attributeKey(field);
    return writesField ? [{ key, text: textBeforeValue(key), hole }] : [];
  });
  return [...ofHoles, { ...templateAttribute(template), hole: -1 }].toSorted(byKey);
}

function templateAttribute({ json }: Template): Attribute {
  const key = 'log.template';
  return { key, text: `${textBeforeValue(key)}{"stringValue":${json}}}` };
}

function attributeKey(field: string): string {
  return TAKEN.test(field) ? `${field}_` : field;
}

function attributeOf(key: string, value: TakenValue): Attribute {
  return { key, text: `${textBeforeValue(key)}${anyValueOf(value)}}` };
}

function byKey(a: Attribute, b: Attribute): number {
  return a.key < b.key ? -1 : Number(a.key > b.key);
}
