import { types } from 'node:util';
import { redactMessage } from '@apix/contracts';
import { bareObject } from './bare-object.js';
import { errorRecord } from './error-record.js';
import type { FieldValue } from './field-value.js';
import { isoText } from './iso-text.js';
import { memberOf, valuesOfNames } from './members-of.js';
import { fieldValue, TakenMembers, type TakenValue } from './taken-value.js';
import { safely, safeText, unreadable } from './safely.js';
import { type Shape, shapeOf } from './shape.js';
import type { ResolvedLimits } from './value-limits.js';

/** The text of an object whose class does not define one. */
const NO_TEXT = '[object Object]';

/** Copies values, one after the other; tracks the enclosing objects to find cycles, and how much was read. */
export class ValueReader {
  /** The first `#depth` of them are the enclosing objects; most values have room in the first four. */
  readonly #above: (object | undefined)[] = [undefined, undefined, undefined, undefined];
  #depth = 0;
  #left = 0;
  /** Kept because objects of a list, and those of one call, usually have the same shape. */
  #lastShape: Shape | undefined;

  constructor(private readonly limits: ResolvedLimits) {}

  /**
   * Copies a value as plain data, whose objects become field values when they are needed: most events are
   * only encoded as lines. Never throws. What is read may itself log, as a getter can: that has its own reader.
   */
  take(value: unknown): TakenValue {
    if (this.#depth > 0) return new ValueReader(this.limits).take(value);
    this.#left = this.limits.items;
    return this.#read(value);
  }

  #read(value: unknown): TakenValue {
    switch (typeof value) {
      case 'string':
        return cutText(value, this.limits.text);
      case 'number':
      case 'boolean':
      case 'bigint':
        return value;
      case 'undefined':
        return null;
      case 'symbol':
        return value.toString();
      case 'function':
        return functionText(value);
      case 'object':
        return value === null ? null : this.#readObject(value);
    }
  }

  #readObject(value: object): TakenValue {
    if (this.#isAbove(value)) return '[Circular]';
    this.#above[this.#depth++] = value;
    try {
      if (this.#depth > this.limits.depth) return Array.isArray(value) ? '[Array]' : '[Object]';
      return this.#readKind(value);
    } catch (thrown) {
      return unreadable(thrown);
    } finally {
      this.#above[--this.#depth] = undefined;
    }
  }

  #isAbove(value: object): boolean {
    const above = this.#above;
    for (let i = 0; i < this.#depth; i++) if (above[i] === value) return true;
    return false;
  }

  #readKind(value: object): TakenValue {
    if (Array.isArray(value)) return this.#list(value);
    if (ArrayBuffer.isView(value)) return this.#view(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return this.#plain(value);
    if (value instanceof Date) return dateText(value);
    if (value instanceof Error) return this.#members(Object.entries(errorRecord(value)));
    if (value instanceof Map) return this.#members(value);
    if (value instanceof Set) return this.#list(value);
    if (value instanceof RegExp) return String(value);
    if (value instanceof ArrayBuffer) return this.#bytes(new Uint8Array(value));
    if (value instanceof Promise) return '[Promise]';
    if (value instanceof WeakMap || value instanceof WeakSet) return '[Weak]';
    if (types.isBoxedPrimitive(value)) return this.#read(value.valueOf());
    const members = this.#plain(value);
    return isEmpty(members) ? this.#withoutMembers(value, members) : members;
  }

  /** An object of a class that has no own members: often its content is elsewhere. */
  #withoutMembers(value: object, members: TakenValue): TakenValue {
    // Those of another realm are not instances of this realm's classes.
    if (types.isMap(value)) return this.#members(value);
    if (types.isSet(value)) return this.#list(value);
    if (types.isNativeError(value)) return this.#members(Object.entries(errorRecord(value)));
    if (types.isAnyArrayBuffer(value)) return this.#bytes(new Uint8Array(value));
    const { toJSON, toString } = value as { toJSON?: unknown; toString?: unknown };
    if (typeof toJSON === 'function' || typeof toString !== 'function') return members;
    const text = safeText(value);
    return text === NO_TEXT ? members : this.#read(text);
  }

  /** The result of the object's `toJSON`, or else its members. */
  #plain(value: object): TakenValue {
    const shown = redactMessage(value);
    if (shown !== value) return this.#record(shown);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') {
      const json: unknown = toJSON.call(value, '');
      return json === value ? this.#record(value) : this.#read(json);
    }
    return this.#record(value);
  }

  #view(view: ArrayBufferView): TakenValue {
    if (view instanceof Uint8Array || view instanceof DataView) {
      return this.#bytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    }
    return this.#list(view as ArrayBufferView & Iterable<unknown>);
  }

  /** A copy, because the bytes may change before a background sink writes them. */
  #bytes(bytes: Uint8Array): FieldValue {
    const { text: limit } = this.limits;
    return bytes.length <= limit
      ? bytes.slice()
      : `[${bytes.length} bytes, more than the limit of ${limit}]`;
  }

  #list(items: Iterable<unknown>): TakenValue {
    const list: TakenValue[] = [];
    for (const item of items) {
      if (this.#left-- <= 0) {
        list.push('…');
        break;
      }
      list.push(this.#read(item));
    }
    return list;
  }

  #members(entries: Iterable<readonly [unknown, unknown]>): FieldValue {
    const members = bareObject<FieldValue>();
    for (const [key, member] of entries) {
      if (this.#left-- <= 0) {
        members['…'] = '…';
        break;
      }
      members[this.#nameOf(key)] = fieldValue(this.#read(member));
    }
    return members;
  }

  /** Own enumerable members; if a getter throws, only its member is replaced. */
  #record(value: object): TakenValue {
    const shape = this.#lastShape;
    if (shape === undefined || shape.names.length > this.#left) return this.#named(value);
    const members = membersLike(shape, value);
    return members === undefined ? this.#named(value) : this.#shaped(value, shape, members);
  }

  /** The same for an object whose names are not known. */
  #named(value: object): TakenValue {
    const names = Object.keys(value);
    if (names.length > this.#left) return this.#cut(value, names, 0, new TakenMembers([], []));
    const members = valuesOfNames(names, value);
    // What is read of each member takes its place.
    const values = members as TakenValue[];
    let count = 0;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      if (this.#left <= 0 || name.length > this.limits.text) {
        const before = new TakenMembers(names.slice(0, count), values.slice(0, count));
        return this.#cut(value, names, i, before);
      }
      this.#left--;
      const member = members[i];
      if (member === undefined) continue;
      names[count] = name;
      values[count++] =
        typeof member === 'number' || typeof member === 'boolean' ? member : this.#read(member);
    }
    // Setting the length of an array is slow, even if it does not change.
    if (count < names.length) names.length = values.length = count;
    const last = this.#lastShape;
    const shape = last?.has(names) === true ? last : shapeOf(names);
    this.#lastShape = shape;
    return new TakenMembers(names, values, shape);
  }

  /** @param members of an object with the shape; what is read of each takes its place. */
  #shaped(value: object, shape: Shape, members: unknown[]): TakenValue {
    const { names } = shape;
    const values = members as TakenValue[];
    for (let i = 0; i < members.length; i++) {
      if (this.#left <= 0) {
        const before = new TakenMembers(names.slice(0, i), values.slice(0, i));
        return this.#cut(value, names, i, before);
      }
      this.#left--;
      const member = members[i];
      if (typeof member !== 'number' && typeof member !== 'boolean') {
        values[i] = this.#read(member);
      }
    }
    // It was another while members were read.
    this.#lastShape = shape;
    return new TakenMembers(names, values, shape);
  }

  /** An object with too many members or too long names: adds the members from index `from` to those before. */
  #cut(value: object, names: readonly string[], from: number, before: TakenMembers): FieldValue {
    const members = before.object as Record<string, FieldValue>;
    for (let i = from; i < names.length; i++) {
      const name = names[i]!;
      if (this.#left-- <= 0) {
        members['…'] = '…';
        break;
      }
      const member = memberOf(value, name);
      if (member !== undefined) members[this.#nameOf(name)] = fieldValue(this.#read(member));
    }
    return members;
  }

  #nameOf(key: unknown): string {
    if (typeof key === 'string') return cutText(key, this.limits.text);
    const name = this.#read(key);
    return typeof name === 'object' && name !== null ? '[Object]' : String(name);
  }
}

/**
 * The members of an object if it has those of the shape and no other, in that order, and all can be read;
 * neither a list of its names nor one of its values is made for it.
 */
function membersLike({ names }: Shape, value: object): unknown[] | undefined {
  // As large as it will be, so that it need not grow.
  // eslint-disable-next-line unicorn/no-new-array
  const members = new Array<unknown>(names.length);
  let count = 0;
  try {
    for (const name in value) {
      // Inside such a loop the engine knows the answer; Object.hasOwn it calls.
      const isOwn = Object.prototype.hasOwnProperty.call(value, name);
      if (names[count] !== name || !isOwn) return undefined;
      const member: unknown = (value as Readonly<Record<string, unknown>>)[name];
      if (member === undefined) return undefined;
      members[count++] = member;
    }
  } catch {
    return undefined;
  }
  return count === names.length ? members : undefined;
}

function isEmpty(value: TakenValue): boolean {
  return value instanceof TakenMembers && value.names.length === 0;
}

function functionText(value: { readonly name: string }): string {
  return safely(() => `[Function: ${value.name || 'anonymous'}]`, unreadable);
}

function dateText(date: Date): string {
  const time = date.getTime();
  if (Number.isNaN(time)) return 'Invalid Date';
  // A class may write its dates in another way.
  return date.toISOString === Date.prototype.toISOString ? isoText(time) : date.toISOString();
}

/** The text itself, or its start and a note on how much is missing. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : `${text.slice(0, limit)}… (${text.length - limit} more characters)`;
}
