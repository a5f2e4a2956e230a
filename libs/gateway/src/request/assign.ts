import { type DescField, type Message, create } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';

type Slots = Record<string, unknown>;
interface OneofSlot {
  case: string | undefined;
  value?: unknown;
}

/** The member of a oneof that is set, if it is another one than this field. */
export function rivalOf(message: Message, field: DescField): DescField | undefined {
  if (field.oneof === undefined) return undefined;
  const slot = slotsOf(message)[field.oneof.localName] as OneofSlot;
  if (slot.case === undefined || slot.case === field.localName) return undefined;
  return field.oneof.fields.find(({ localName }) => localName === slot.case);
}

/**
 * The message that holds the last field of a path; those above it are created where they are not set yet.
 *
 * @param refuse what is thrown if a field on the way, or the last one, is in a oneof with another one that
 *   is set: to set it would drop that one.
 */
export function openParent(
  root: Message,
  fields: readonly DescField[],
  refuse: (rival: DescField, level: number) => Error,
): Message {
  let parent = root;
  fields.forEach((field, level) => {
    const rival = rivalOf(parent, field);
    if (rival !== undefined) throw refuse(rival, level);
    if (level < fields.length - 1) parent = openMessage(parent, field);
  });
  return parent;
}

/** The message in a singular message field, which is created where it is not set yet. */
function openMessage(message: Message, field: DescField): Message {
  const held = readField(message, field) as Message | undefined;
  if (held !== undefined) return held;
  if (field.message === undefined)
    throw new TypeError(`${field.toString()} is not a message field`);
  const made = create(field.message);
  writeField(message, field, made);
  return made;
}

/**
 * Sets a field to a value in protobuf-es' form of an element of it: a wrapper type is its bare
 * value, inside a oneof too. Appends to a repeated field.
 */
export function assignField(message: Message, field: DescField, value: unknown): void {
  if (field.fieldKind === 'list') {
    const list = slotsOf(message)[field.localName] as unknown[];
    list.push(wrap(field, value, true));
  } else {
    writeField(message, field, wrap(field, value, field.oneof !== undefined));
  }
}

/** The value of a singular field; undefined if it is not set or another member of its oneof is. */
export function readField(message: Message, field: DescField): unknown {
  if (field.oneof === undefined) return slotsOf(message)[field.localName];
  const slot = slotsOf(message)[field.oneof.localName] as OneofSlot;
  return slot.case === field.localName ? slot.value : undefined;
}

function writeField(message: Message, field: DescField, value: unknown): void {
  if (field.oneof === undefined) slotsOf(message)[field.localName] = value;
  else slotsOf(message)[field.oneof.localName] = { case: field.localName, value };
}

/** protobuf-es keeps a wrapper as its bare value only in a singular field outside of oneofs. */
function wrap(field: DescField, value: unknown, boxed: boolean): unknown {
  const desc = field.message;
  if (!boxed || desc === undefined || !isWrapperDesc(desc)) return value;
  return Object.assign(create(desc), { value });
}

function slotsOf(message: Message & Slots): Slots {
  return message;
}
