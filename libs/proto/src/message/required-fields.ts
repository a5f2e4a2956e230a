import type { DescField, DescMessage, Message } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { itemPath, memberPath } from '../json/json-decode-error.js';
import { type MessageMembers, valueIn } from './message-shape.js';

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
  const place = placeIn(desc, message);
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

const checked = new WeakMap<DescMessage, readonly DescField[]>();

function checkedFields(desc: DescMessage): readonly DescField[] {
  let fields = checked.get(desc);
  if (fields === undefined) {
    fields = desc.fields.filter((field) => isRequired(field) || mayHoldLacking(field));
    checked.set(desc, fields);
  }
  return fields;
}

function mayHoldLacking({ message }: DescField): boolean {
  return message !== undefined && mayLackFields(message);
}

/** The place without the message itself; undefined for none. */
function placeIn(desc: DescMessage, members: MessageMembers): string | undefined {
  for (const field of checkedFields(desc)) {
    // A member of the prototype is a default value, not one that was set.
    const isOwn = field.oneof !== undefined || Object.hasOwn(members, field.localName);
    const value = isOwn ? valueIn(members, field) : undefined;
    const isMissing = value === undefined && isRequired(field);
    const inside = isMissing ? '' : value === undefined ? undefined : placeInside(field, value);
    if (inside !== undefined) return memberPath('', field.jsonName) + inside;
  }
  return undefined;
}

function placeInside(field: DescField, value: unknown): string | undefined {
  const { message } = field;
  if (message === undefined || !mayLackFields(message)) return undefined;
  if (field.fieldKind === 'list') {
    for (const [index, item] of (value as readonly MessageMembers[]).entries()) {
      const place = placeIn(message, item);
      if (place !== undefined) return itemPath('', index) + place;
    }
    return undefined;
  }
  if (field.fieldKind !== 'map') return placeIn(message, value as MessageMembers);
  for (const [key, item] of Object.entries(value as Readonly<Record<string, MessageMembers>>)) {
    const place = placeIn(message, item);
    if (place !== undefined) return memberPath('', key) + place;
  }
  return undefined;
}
