import type { DescField, DescMessage, Message } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { itemPath, memberPath } from '../json/json-decode-error.js';
import type { MessageMembers } from './message-shape.js';

/** Whether a field must be there: `required` of proto2, LEGACY_REQUIRED of an edition. */
export function isRequired({ presence }: Pick<DescField, 'presence'>): boolean {
  return presence === FeatureSet_FieldPresence.LEGACY_REQUIRED;
}

/**
 * The place of a required field that a message lacks, itself or in a message that it holds, as a JSONPath
 * such as `$.lines[2].sku`; undefined if nothing is missing. What unknown fields and a google.protobuf.Any
 * hold is not looked at.
 */
export function missingField(desc: DescMessage, message: Message): string | undefined {
  if (!mayLackFields(desc)) return undefined;
  const place = finderOf(desc)(message);
  return place === undefined ? undefined : `$${place}`;
}

const lacking = new WeakMap<DescMessage, boolean>();

/** Whether a message of the type may be without a field that it must have, or hold one that is. */
export function mayLackFields(desc: DescMessage): boolean {
  let known = lacking.get(desc);
  if (known === undefined) {
    known = [...reachedFrom(desc)].some(({ fields }) => fields.some(isRequired));
    lacking.set(desc, known);
  }
  return known;
}

/** The type, and all that its messages may hold. */
function reachedFrom(desc: DescMessage): ReadonlySet<DescMessage> {
  const reached = new Set([desc]);
  for (const { fields } of reached) {
    for (const { message } of fields) if (message !== undefined) reached.add(message);
  }
  return reached;
}

/** The place without the message itself; undefined for none. */
type Find = (members: MessageMembers) => string | undefined;

const finders = new WeakMap<DescMessage, Find>();

function finderOf(desc: DescMessage): Find {
  let find = finders.get(desc);
  if (find === undefined) {
    const finds = desc.fields.filter(isChecked).map(inField);
    find = (members) => firstOf(finds, (inOne) => inOne(members));
    finders.set(desc, find);
  }
  return find;
}

function isChecked(field: DescField): boolean {
  return isRequired(field) || (field.message !== undefined && mayLackFields(field.message));
}

function inField(field: DescField): Find {
  const { message, localName, oneof } = field;
  const step = memberPath('', field.jsonName);
  const inValue = (value: unknown): string | undefined =>
    message && mayLackFields(message) ? finderOf(message)(value as MessageMembers) : undefined;
  const after = (place: string | undefined, before = step): string | undefined =>
    place === undefined ? undefined : before + place;
  if (field.fieldKind === 'list') {
    return (members) =>
      firstOf((members[localName] as unknown[]).entries(), ([index, item]) =>
        after(inValue(item), itemPath(step, index)),
      );
  }
  if (field.fieldKind === 'map') {
    return (members) =>
      firstOf(Object.entries(members[localName] as object), ([key, value]) =>
        after(inValue(value), memberPath(step, key)),
      );
  }
  if (oneof !== undefined) {
    return (members) => {
      const chosen = members[oneof.localName] as {
        readonly case?: string;
        readonly value?: unknown;
      };
      return chosen.case === localName ? after(inValue(chosen.value)) : undefined;
    };
  }
  const isNeeded = isRequired(field);
  return (members) => {
    // A member of the prototype is a default value, not one that was set.
    const value = Object.hasOwn(members, localName) ? members[localName] : undefined;
    if (value !== undefined) return after(inValue(value));
    return isNeeded ? step : undefined;
  };
}

function firstOf<T>(
  values: Iterable<T>,
  placeIn: (value: T) => string | undefined,
): string | undefined {
  for (const value of values) {
    const place = placeIn(value);
    if (place !== undefined) return place;
  }
  return undefined;
}
