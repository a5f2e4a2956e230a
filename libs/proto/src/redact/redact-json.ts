import { REDACTED } from '@apix/contracts';
import type { DescExtension, DescField, DescMessage, Registry } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';
import { isRedacted } from './redacted-field.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * The ProtoJSON of a message as it may be shown to people: without the values of fields that have
 * `debug_redact`, at any depth and inside of every Any.
 *
 * @param registry resolves Any and extensions; those that it does not know are hidden.
 */
export function redactJson(desc: DescMessage, json: unknown, registry: Registry): unknown {
  if (!isMembers(json)) return json;
  if (desc.typeName === ANY) return redactAny(json, registry);
  if (hasCustomJsonRepresentation(desc)) return json;
  return mapMembers(json, (name, value) => {
    const fields = desc.fields.filter((each) => each.jsonName === name || each.name === name);
    const field = fields.find(isRedacted) ?? fields[0] ?? extensionOf(name, registry);
    return field === undefined ? REDACTED : redactValue(field, value, registry);
  });
}

const ANY = 'google.protobuf.Any';

function redactAny(json: Members, registry: Registry): unknown {
  const url = json['@type'];
  if (typeof url !== 'string') return json;
  const desc = registry.getMessage(url.slice(url.lastIndexOf('/') + 1));
  const { '@type': _, ...content } = json;
  if (desc === undefined) return { '@type': url, value: REDACTED };
  const shown = hasCustomJsonRepresentation(desc)
    ? { value: redactJson(desc, content['value'], registry) }
    : (redactJson(desc, content, registry) as Members);
  return { '@type': url, ...shown };
}

function redactValue(
  field: DescField | DescExtension,
  value: unknown,
  registry: Registry,
): unknown {
  if (isRedacted(field)) return REDACTED;
  const { message } = field;
  if (message === undefined || value === null) return value;
  const ofMessage = (one: unknown): unknown => redactJson(message, one, registry);
  if (field.fieldKind === 'list') return (value as readonly unknown[]).map(ofMessage);
  if (field.fieldKind !== 'map') return ofMessage(value);
  return mapMembers(value as Members, (_, one) => ofMessage(one));
}

function extensionOf(name: string, registry: Registry): DescExtension | undefined {
  return /^\[.+\]$/.test(name) ? registry.getExtension(name.slice(1, -1)) : undefined;
}

function mapMembers(members: Members, of: (name: string, value: unknown) => unknown): Members {
  return Object.fromEntries(Object.entries(members).map(([name, one]) => [name, of(name, one)]));
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
