import { type DescField, type DescMessage, type Message, create } from '@bufbuild/protobuf';
import { valueIn } from '@apix/proto/internal';
import { hasCustomJsonRepresentation, isWrapperDesc } from '@bufbuild/protobuf/wkt';

/** A message as its members. */
type Slots = Message & Record<string, unknown>;
interface OneofSlot {
  case: string | undefined;
  value?: unknown;
}

/** The member of a oneof that is set, if it is another one than this field. */
export function rivalOf(message: Slots, field: DescField): DescField | undefined {
  if (field.oneof === undefined) return undefined;
  const slot = message[field.oneof.localName] as OneofSlot;
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
  for (const [level, field] of fields.entries()) {
    const rival = rivalOf(parent, field);
    if (rival !== undefined) throw refuse(rival, level);
    if (level < fields.length - 1) parent = openMessage(parent, field);
  }
  return parent;
}

/** The message in a singular message field, which is created where it is not set yet. */
function openMessage(message: Slots, field: DescField): Message {
  const held = valueIn(message, field) as Message | undefined;
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
export function assignField(message: Slots, field: DescField, value: unknown): void {
  if (field.fieldKind === 'list') {
    const list = message[field.localName] as unknown[];
    list.push(wrap(field, value, true));
  } else {
    writeField(message, field, wrap(field, value, field.oneof !== undefined));
  }
}

function writeField(message: Slots, field: DescField, value: unknown): void {
  if (field.oneof === undefined) message[field.localName] = value;
  else message[field.oneof.localName] = { case: field.localName, value };
}

/** protobuf-es keeps a wrapper as its bare value only in a singular field outside of oneofs. */
function wrap(field: DescField, value: unknown, boxed: boolean): unknown {
  const desc = field.message;
  if (!boxed || desc === undefined || !isWrapperDesc(desc)) return value;
  return Object.assign(create(desc), { value });
}

/** The path of a field from a message down, as in the .proto file: `order.name`. */
export function dottedName(fields: readonly DescField[]): string {
  return fields.map(({ name }) => name).join('.');
}

/** A field path that was followed as far as it goes. */
export interface FollowedPath {
  readonly fields: readonly DescField[];
  /** The reason why it stopped; undefined if every name was found. */
  readonly problem?: string;
}

const NAMES = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/** A message's field by its name in the .proto file or by its JSON name. */
export function fieldNamed(desc: DescMessage, name: string): DescField | undefined {
  let names = NAMES.get(desc);
  if (names === undefined) {
    const byJsonName = desc.fields.map((field) => [field.jsonName, field] as const);
    names = new Map([...byJsonName, ...desc.fields.map((field) => [field.name, field] as const)]);
    NAMES.set(desc, names);
  }
  return names.get(name);
}

/**
 * Follows a path of field names down from a message, through singular message fields only, and not into
 * messages such as Timestamp or Any: in JSON they are one value, and their fields have no JSON form.
 */
export function followPath(desc: DescMessage, names: readonly string[]): FollowedPath {
  const fields: DescField[] = [];
  let current: DescMessage | undefined = desc;
  for (const name of names) {
    const parent: DescField | undefined = fields.at(-1);
    if (current === undefined) {
      return { fields, problem: `${parent?.name} is ${describe(parent)} and has no fields` };
    }
    const field: DescField | undefined = fieldNamed(current, name);
    if (field === undefined) {
      return { fields, problem: `${current.typeName} has no field ${JSON.stringify(name)}` };
    }
    fields.push(field);
    current = isOpen(field) ? field.message : undefined;
  }
  return { fields };
}

/** Whether the fields of a message field can be named one by one. */
export function isOpen(field: DescField): field is DescField & { fieldKind: 'message' } {
  return field.fieldKind === 'message' && !hasCustomJsonRepresentation(field.message);
}

function describe(field: DescField | undefined): string {
  if (field?.fieldKind === 'list') return 'a repeated field';
  if (field?.fieldKind === 'map') return 'a map';
  return field?.fieldKind === 'message' ? `one ${field.message.typeName}` : 'not a message';
}
