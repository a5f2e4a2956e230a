import { shownValue } from '@apix/contracts';
import { HIDDEN_PROBLEM, isRedacted } from '@apix/proto/internal';
import {
  type DescField,
  type DescMessage,
  type DescOneof,
  type Message,
  create,
  isMessage,
} from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';

/** As deep as messages may be nested that can be read (protobuf's own default). */
const MAX_DEPTH = 100;

/**
 * Converts the answer of a handler, or the request of a caller, to a message: a message of its type is
 * returned as it is, an object in its shape is passed to `create` of protobuf-es, and nothing (`null`,
 * `undefined`) is the empty message. The codec checks the values in it.
 *
 * @throws Error that names the place of a value that is not a message: a list, a Date, a generator, a
 *   message of another type, an object that has none of the members.
 */
export function messageOf(desc: DescMessage, value: unknown): Message {
  if (isMessage(value, desc)) return value;
  if (value === undefined || value === null) return create(desc);
  checkShape(desc, value, desc.typeName, 0);
  return create(desc, value);
}

function checkShape(
  desc: DescMessage,
  value: unknown,
  place: string,
  depth: number,
): asserts value is Record<string, unknown> {
  const what = otherTypeName(desc, value);
  if (what !== undefined) {
    throw new Error(`${place}: expected a message or an object in its shape, got ${what}`);
  }
  if (depth === MAX_DEPTH) throw new Error(`${place}: more than ${MAX_DEPTH} levels of messages`);
  for (const member of shapedMembers(desc)) {
    const { localName } = member;
    const given = (value as Readonly<Record<string, unknown>>)[localName];
    const at = `${place}.${localName}`;
    try {
      checkMember(member, given, at, depth + 1);
    } catch (error) {
      throw hides(member) ? new Error(`${at}: ${HIDDEN_PROBLEM}`) : error;
    }
  }
}

/** Whether an error about this member may repeat a value that is not shown. */
function hides(member: DescField | DescOneof): boolean {
  return member.kind === 'oneof' ? member.fields.some(isRedacted) : isRedacted(member);
}

function checkMember(
  member: DescField | DescOneof,
  value: unknown,
  place: string,
  depth: number,
): void {
  if (value === undefined || value === null) return;
  if (member.kind === 'oneof') {
    checkOneof(member, value, place, depth);
    return;
  }
  const { message } = member as { readonly message: DescMessage };
  if (member.fieldKind === 'message') checkInner(message, value, place, depth);
  else if (typeof value === 'object') {
    const isList = Array.isArray(value);
    for (const [key, item] of Object.entries(value)) {
      checkInner(message, item, `${place}[${isList ? key : JSON.stringify(key)}]`, depth);
    }
  }
}

function checkOneof(oneof: DescOneof, value: unknown, place: string, depth: number): void {
  const { case: name, value: chosen } = value as Readonly<Record<string, unknown>>;
  const field = oneof.fields.find(({ localName }) => localName === name);
  if (field === undefined && (name !== undefined || typeof value !== 'object')) {
    const cases = oneof.fields.map(({ localName }) => localName).join(', ');
    const given = shownValue(typeof value === 'object' ? name : value);
    throw new Error(`${place}: expected an object with one of the cases ${cases}, got ${given}`);
  }
  if (field?.fieldKind === 'message') checkInner(field.message, chosen, place, depth);
}

/** Values that `create` leaves alone are left to the codec. */
function checkInner(desc: DescMessage, value: unknown, place: string, depth: number): void {
  if (value === undefined || value === null || isMessage(value, desc)) return;
  checkShape(desc, value, place, depth);
}

/** Describes a value that does not have the shape of a message; undefined for one that does. */
function otherTypeName(desc: DescMessage, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return shownValue(value);
  if (isMessage(value)) return `a message ${value.$typeName}`;
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (NOT_SHAPES.has(tag)) return `an object of type ${tag}`;
  if (ArrayBuffer.isView(value)) return 'bytes';
  if (Symbol.iterator in value || Symbol.asyncIterator in value) return 'what can be iterated';
  if (typeof (value as { readonly then?: unknown }).then === 'function') return 'a promise';
  const hasNone =
    desc.members.length > 0 && !desc.members.some(({ localName }) => localName in value);
  const keys = hasNone ? Object.keys(value) : [];
  return keys.length > 0
    ? `an object with other members (${keys.slice(0, 5).join(', ')})`
    : undefined;
}

/** The tags of JavaScript's own classes; a class of the app may have any other. */
const NOT_SHAPES = new Set(
  'Array,Date,RegExp,Error,Promise,Map,Set,WeakMap,WeakSet,WeakRef,ArrayBuffer,SharedArrayBuffer,DataView,Generator,AsyncGenerator,String,Number,Boolean,Symbol,BigInt,URL,URLSearchParams,AbortSignal'.split(
    ',',
  ),
);

const shaped = new WeakMap<DescMessage, readonly (DescField | DescOneof)[]>();

/** The members in which there may be messages. */
function shapedMembers(desc: DescMessage): readonly (DescField | DescOneof)[] {
  let members = shaped.get(desc);
  if (members === undefined) {
    members = desc.members.filter((member) => member.kind === 'oneof' || holdsMessages(member));
    shaped.set(desc, members);
  }
  return members;
}

/** A Struct is JSON in a field, a wrapper the value that it wraps. */
function holdsMessages(field: DescField): boolean {
  if (field.message === undefined) return false;
  if (field.fieldKind === 'message' && isWrapperDesc(field.message)) return false;
  const { typeName } = field.message;
  return typeName !== 'google.protobuf.Struct' || field.parent.typeName === 'google.protobuf.Value';
}
