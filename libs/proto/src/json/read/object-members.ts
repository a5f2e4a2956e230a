import { Buffer } from 'node:buffer';
import type { DescExtension, DescField, DescMessage } from '@bufbuild/protobuf';
import { isRequired } from '../../message/required-fields.js';
import { guarded, HIDDEN_PROBLEM, isRedacted } from '../../redact/redacted-field.js';
import { quote } from '../json-decode-error.js';
import type { JsonSource } from './json-source.js';
import { addKey, readKey, skipValue } from './containers.js';

/** Reads the value that is next into a message, or into its bytes. */
export type ReadInto<T> = (source: JsonSource, into: T) => void;

/** How the value of a field is read. */
export interface MemberReader<T> {
  readonly read: ReadInto<T>;
  /** Whether `null` leaves the field unset, rather than being a value of it. */
  readonly nullUnsets: boolean;
}

export interface MemberReaders<T> {
  readonly of: (field: DescField | DescExtension) => MemberReader<T>;
  /** Whether required fields of proto2 must be there. */
  readonly refusesUnset: boolean;
}

/** One field of a message as a member of its JSON object. */
interface Member<T> extends MemberReader<T> {
  readonly field: DescField;
  /** Its bit among those that record which fields occurred. */
  readonly bit: number;
  /** The bit of its oneof; -1 for none. */
  readonly oneofBit: number;
  /** `"unitPrice":`, as it is written by everybody but those who write the proto name. */
  readonly quoted: Uint8Array;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const LETTER_N = 0x6e;
/** Small integers have 31 bits, one of them for the sign. */
const BITS_OF_WORD = 30;

/** Reads JSON objects of one message type, member by member, in whatever order they come. */
export class ObjectMembers<T> {
  readonly #byName = new Map<string, Member<T>>();
  /** The member that came last time after each member, and first; the next object is likely the same. */
  readonly #following: (Member<T> | undefined)[];
  readonly #extensions = new WeakMap<DescExtension, MemberReader<T>>();
  readonly #required: readonly Member<T>[];
  readonly #words: number;

  /** @param desc whose JSON form is an object of its fields. */
  constructor(
    private readonly desc: DescMessage,
    private readonly readers: MemberReaders<T>,
  ) {
    const { fields, oneofs } = desc;
    const members = fields.map((field, bit) => ({
      ...guardedReader(field, readers.of(field)),
      field,
      bit,
      oneofBit: field.oneof === undefined ? -1 : fields.length + oneofs.indexOf(field.oneof),
      quoted: Buffer.from(`${JSON.stringify(field.jsonName)}:`),
    }));
    for (const member of members) {
      this.#byName.set(member.field.name, member).set(member.field.jsonName, member);
    }
    this.#following = [...members, undefined];
    this.#required = readers.refusesUnset ? members.filter(({ field }) => isRequired(field)) : [];
    this.#words = Math.ceil((fields.length + oneofs.length) / BITS_OF_WORD);
  }

  /**
   * Reads the object that is next.
   *
   * @param isInAny whether it is inside a google.protobuf.Any, with `@type` among its members.
   */
  read(source: JsonSource, into: T, isInAny: boolean): void {
    if (source.peek() !== BRACE) source.expected(`an object for ${this.desc.typeName}`);
    const start = source.at;
    const level = source.enter(this.desc.typeName);
    const seen = this.#words > 1 ? new Int32Array(this.#words) : undefined;
    source.at += 1;
    const bits = source.take(CLOSING_BRACE)
      ? 0
      : this.#readMembers(source, into, start, seen, isInAny);
    for (const member of this.#required) {
      const { bit, field } = member;
      if (seen === undefined ? (bits & (1 << bit)) === 0 : !isMarked(seen, bit)) {
        source.places[level] = field.jsonName;
        source.level = level + 1;
        failUnset(source);
      }
    }
    source.leave(level);
  }

  /** @returns the bits of the fields that occurred, if one word can hold them. */
  #readMembers(
    source: JsonSource,
    into: T,
    start: number,
    seen: Int32Array | undefined,
    isInAny: boolean,
  ): number {
    const { level, places } = source;
    const following = this.#following;
    let bits = 0;
    let after = 0;
    let others: Set<string> | undefined;
    source.level = level + 1;
    do {
      if (source.peek() !== QUOTE) readKey(source, level);
      let member = following[after];
      if (member !== undefined && !isInAny && source.takeBytes(member.quoted)) {
        places[level] = member.field.jsonName;
      } else {
        const key = source.string();
        places[level] = key;
        source.expectColon();
        member = isInAny && key === '@type' ? undefined : this.#byName.get(key);
        if (member === undefined) {
          addKey(source, (others ??= new Set()), key);
          this.#readOther(source, key, into, isInAny);
          continue;
        }
        following[after] = member;
      }
      const { bit, oneofBit } = member;
      if (seen === undefined ? (bits & (1 << bit)) !== 0 : isMarked(seen, bit)) {
        this.#failTwice(source, start, member, isInAny, false);
      }
      bits |= 1 << bit;
      if (seen !== undefined) mark(seen, bit);
      after = bit + 1;
      const unsets = source.peek() === LETTER_N && member.nullUnsets;
      if (oneofBit !== -1 && !unsets) {
        if (seen === undefined ? (bits & (1 << oneofBit)) !== 0 : isMarked(seen, oneofBit)) {
          this.#failTwice(source, start, member, isInAny, true);
        }
        bits |= 1 << oneofBit;
        if (seen !== undefined) mark(seen, oneofBit);
      }
      if (!unsets) member.read(source, into);
      else {
        source.takeNull();
        if (this.readers.refusesUnset && isRequired(member.field)) failUnset(source);
      }
    } while (source.take(COMMA));
    source.level = level;
    if (!source.take(CLOSING_BRACE)) source.failAt(source.at, 'expected "," or "}"');
    return bits;
  }

  /** A member that no field of the message is. */
  #readOther(source: JsonSource, key: string, into: T, isInAny: boolean): void {
    if (isInAny && key === '@type') return skipValue(source);
    const extension = this.#extensionOf(source, key);
    if (extension !== undefined) {
      if (!extension.nullUnsets || !source.takeNull()) extension.read(source, into);
      return;
    }
    if (!source.reading.ignoreUnknown) {
      source.fail(`${this.desc.typeName} has no field ${quote(key)}`);
    }
    skipValue(source);
  }

  /**
   * For a member that was there already, by this name or its other one, or whose oneof has a value. The
   * object is looked through again for the earlier name.
   *
   * @param ofOneof whether it is the oneof that has a value.
   */
  #failTwice(
    source: JsonSource,
    start: number,
    member: Member<T>,
    isInAny: boolean,
    ofOneof: boolean,
  ): never {
    const { field, oneofBit } = member;
    const { at: end } = source;
    const level = source.level - 1;
    const key = source.places[level] as string;
    source.at = start + 1;
    let earlier: string | undefined;
    while (earlier === undefined) {
      const name = readKey(source, level);
      source.expectColon();
      const other = isInAny && name === '@type' ? undefined : this.#byName.get(name);
      const unsets = source.peek() === LETTER_N && other?.nullUnsets === true;
      const isRival = ofOneof ? other?.oneofBit === oneofBit && !unsets : other === member;
      if (isRival) earlier = name;
      skipValue(source);
      source.take(COMMA);
    }
    source.at = end;
    source.level = level + 1;
    source.places[level] = key;
    if (earlier === key) return source.fail('given more than once');
    const claim = ofOneof ? `oneof ${field.oneof?.name}` : `field ${field.name}`;
    return source.fail(`${quote(earlier)} already sets the ${claim}`);
  }

  #extensionOf(source: JsonSource, key: string): MemberReader<T> | undefined {
    if (!key.startsWith('[') || !key.endsWith(']')) return undefined;
    const extension = source.reading.registry.getExtension(key.slice(1, -1));
    if (extension?.extendee.typeName !== this.desc.typeName) return undefined;
    let reader = this.#extensions.get(extension);
    if (reader === undefined) {
      reader = guardedReader(extension, this.readers.of(extension));
      this.#extensions.set(extension, reader);
    }
    return reader;
  }
}

/** The same, whose errors do not repeat a value that is not to be shown. */
export function guardedReader<T>(
  field: DescField | DescExtension,
  { read, nullUnsets }: MemberReader<T>,
): MemberReader<T> {
  const guardedRead = guarded(
    isRedacted(field),
    read,
    ({ level }: JsonSource) => level,
    (level, source) => {
      source.level = level;
      return source.fail(HIDDEN_PROBLEM);
    },
  );
  return { read: guardedRead, nullUnsets };
}

/** For a required field of proto2 that has no value; its place is the current one. */
export function failUnset(source: JsonSource): never {
  return source.fail('the required field is not set');
}

function isMarked(words: Int32Array, bit: number): boolean {
  return (words[Math.floor(bit / BITS_OF_WORD)]! & (1 << (bit % BITS_OF_WORD))) !== 0;
}

function mark(words: Int32Array, bit: number): void {
  words[Math.floor(bit / BITS_OF_WORD)]! |= 1 << (bit % BITS_OF_WORD);
}
