import {
  type DescMessage,
  type Message,
  type DescField,
  type DescOneof,
  create,
} from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { wireCodec } from '../wire/wire-codec.js';
import {
  type Walk,
  takeField,
  HEAD_BYTES,
  MAX_DEPTH,
  NUMBER_BYTES,
  ODD,
  type Take,
  count,
} from './take-field.js';
import type { MessageMembers } from '../message/message-shape.js';
import { isRequired } from '../message/required-fields.js';

/**
 * Copies a message for a receiver in the same process: the copy shares nothing with it and is exactly what
 * the wire would have made of it, without a round trip through bytes if its values are exactly of their
 * types.
 *
 * @throws Error where the message cannot be written, or what was written cannot be read.
 */
export function transfer(desc: DescMessage, message: Message): Message {
  const codec = wireCodec(desc);
  return tryTransfer(desc, message, Infinity) ?? codec.decode(codec.encode(message));
}

/**
 * The same, as far as it needs no wire: undefined for a message with values that are not plainly of their
 * type or with unknown fields, for one of more than 30 levels, and for one that may take up more
 * than `maxBytes` on the wire.
 */
export function tryTransfer(
  desc: DescMessage,
  message: unknown,
  maxBytes: number,
): Message | undefined {
  const walk: Walk = { atMostBytes: 0, maxBytes };
  try {
    return takeMessageOf(desc)(message, walk, 0) as Message;
  } catch {
    // Whatever the error was: writing to the wire format reports it in its own terms.
    return undefined;
  }
}

interface Member {
  readonly name: string;
  readonly take: Take;
}

const taking = new WeakMap<DescMessage, Take>();

/** How messages of a type are taken. */
function takeMessageOf(desc: DescMessage): Take {
  let take = taking.get(desc);
  if (take === undefined) {
    take = compile(desc);
    taking.set(desc, take);
  }
  return take;
}

function compile(desc: DescMessage): Take {
  const prototype: object = Object.getPrototypeOf(create(desc)) as object;
  return prototype === Object.prototype ? compilePlain(desc) : compileInheriting(desc, prototype);
}

/** Of a type whose members are all own ones: a literal with its members copies fastest. */
function compilePlain(desc: DescMessage): Take {
  const { typeName } = desc;
  const bytes = bytesOfNumbers(desc);
  const always: Member[] = [];
  const optional: Member[] = [];
  for (const member of desc.members) {
    (isAlwaysThere(member) ? always : optional).push(compileMember(member));
  }
  const keysAlways = 1 + always.length;
  return (value, walk, depth) => {
    enter(value, walk, depth, bytes);
    const copy: MessageMembers = { ...(value as MessageMembers) };
    if (copy['$typeName'] !== typeName) throw ODD;
    let keys = keysAlways;
    for (let i = 0; i < always.length; i++) {
      const { name, take } = always[i]!;
      const given = copy[name];
      const taken = take(given, walk, depth);
      if (!Object.is(taken, given)) copy[name] = taken;
    }
    for (let i = 0; i < optional.length; i++) {
      const { name, take } = optional[i]!;
      const given = copy[name];
      if (given === undefined) continue;
      keys += 1;
      const taken = take(given, walk, depth);
      if (!Object.is(taken, given)) copy[name] = taken;
    }
    // Unknown fields, and what a message does not have.
    if (Reflect.ownKeys(copy).length !== keys) throw ODD;
    return copy;
  };
}

/** Of a type that has default values on its prototype, where a member is set when it is an own one. */
function compileInheriting(desc: DescMessage, prototype: object): Take {
  const { typeName } = desc;
  const bytes = bytesOfNumbers(desc);
  const members = desc.members.map(compileMember);
  const always = desc.members.map(isAlwaysThere);
  return (value, walk, depth) => {
    enter(value, walk, depth, bytes);
    const message = value as MessageMembers;
    if (message['$typeName'] !== typeName || message['$unknown'] !== undefined) throw ODD;
    const copy = Object.create(prototype) as MessageMembers;
    copy['$typeName'] = typeName;
    for (let i = 0; i < members.length; i++) {
      const { name, take } = members[i]!;
      const given = Object.hasOwn(message, name) ? message[name] : undefined;
      if (given !== undefined) copy[name] = take(given, walk, depth);
      else if (always[i]!) throw ODD;
    }
    return copy;
  };
}

function enter(value: unknown, walk: Walk, depth: number, bytes: number): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) throw ODD;
  count(walk, bytes);
}

/** Its header and its numbers; texts and lists add their content. */
function bytesOfNumbers({ fields }: DescMessage): number {
  return HEAD_BYTES + fields.length * NUMBER_BYTES;
}

function compileMember(member: DescField | DescOneof): Member {
  const name = member.localName;
  return member.kind === 'oneof'
    ? { name, take: takeOneof(member) }
    : { name, take: takeField(member, takeMessageOf) };
}

function isAlwaysThere(member: DescField | DescOneof): boolean {
  if (member.kind === 'oneof') return true;
  if (member.fieldKind === 'list' || member.fieldKind === 'map' || isRequired(member)) return true;
  return member.fieldKind !== 'message' && member.presence === FeatureSet_FieldPresence.IMPLICIT;
}

function takeOneof(oneof: DescOneof): Take {
  const cases = new Map<unknown, Take>(
    oneof.fields.map((field) => [field.localName, takeField(field, takeMessageOf)]),
  );
  return (given, walk, depth) => {
    if (typeof given !== 'object' || given === null) throw ODD;
    const { case: name, value } = given as { readonly case?: unknown; readonly value?: unknown };
    if (name === undefined) return { case: undefined };
    const take = cases.get(name);
    if (take === undefined) throw ODD;
    return { case: name, value: take(value, walk, depth) };
  };
}
