import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isPlainObject } from '@apix/contracts/internal';
import { localForm } from '../values/local-form.js';
import { listValue, mapValue } from '../values/holder-value.js';
import { enumCheck, bytesValue, scalarCheck, stringValue } from '../values/scalar-value.js';
import { type MapKeyCheck, mapKeyCheck } from '../values/map-key.js';

/** One message on its way to its receiver. */
export interface Walk {
  /** The maximum size of the message on the wire, in bytes, as far as it was walked. */
  atMostBytes: number;
  /** More than this only the wire may say it takes up. */
  readonly maxBytes: number;
}

/**
 * A value as its receiver gets it. Throws for a value that cannot be sent, and {@link ODD} if only the wire
 * format can show the result.
 */
export type Take = (value: unknown, walk: Walk, depth: number) => unknown;

/** Deeper messages go through the wire, whose limit counts more than the messages. */
export const MAX_DEPTH = 30;

/** A tag and a varint, the longest that there are. */
export const NUMBER_BYTES = 15;
/** A tag and a length. */
export const HEAD_BYTES = 10;

/**
 * Thrown if only the wire format can show what the receiver gets. One object for all cases: it has no
 * stack.
 */
export const ODD = new Error('only the wire format can show what the receiver gets');

/**
 * Counts bytes that are about to be walked. A message that is too large ends here, not after all of it: one
 * that contains the same part in many places could take practically forever.
 */
export function count(walk: Walk, bytes: number): void {
  walk.atMostBytes += bytes;
  if (walk.atMostBytes > walk.maxBytes) throw ODD;
}

/** UTF-8 takes up to three bytes for a unit of UTF-16. */
const BYTES_OF_UNIT = 3;

/** How values of a scalar type are taken. */
function takeScalar(type: ScalarType, longAsString = false): Take {
  if (type === ScalarType.STRING) return takeString;
  if (type === ScalarType.BYTES) return takeBytes;
  return scalarCheck(type, longAsString);
}

const takeString: Take = (value, walk) => {
  const text = stringValue(value);
  count(walk, HEAD_BYTES + BYTES_OF_UNIT * text.length);
  return text;
};

const takeBytes: Take = (value, walk) => {
  const bytes = bytesValue(value);
  count(walk, HEAD_BYTES + bytes.length);
  return new Uint8Array(bytes);
};

/** How messages of a type are taken; called when the first one comes, as types may be recursive. */
type TakeMessageOf = (desc: DescMessage) => Take;

/** How the value of a field is taken, which is set. */
export function takeField(field: DescField, takeMessageOf: TakeMessageOf): Take {
  const take = takeItem(field, takeMessageOf);
  if (field.fieldKind === 'list') return takeList(take);
  return field.fieldKind === 'map' ? takeMap(mapKeyCheck(field.mapKey), take) : take;
}

function takeItem(field: DescField, takeMessageOf: TakeMessageOf): Take {
  const { message } = field;
  if (field.enum !== undefined) return enumCheck(field);
  if (message === undefined) {
    const isText = field.fieldKind !== 'map' && 'longAsString' in field && field.longAsString;
    return takeScalar(field.scalar, isText);
  }
  switch (localForm(field)) {
    case 'wrapper':
      return takeScalar(message.fields[0]!.scalar!);
    case 'struct':
      return takeJsonObject;
    case 'message': {
      let take: Take | undefined;
      return (value, walk, depth) => (take ??= takeMessageOf(message))(value, walk, depth + 1);
    }
  }
}

function takeList(takeItem: Take): Take {
  return (value, walk, depth) => {
    const items = listValue(value);
    const { length } = items;
    count(walk, HEAD_BYTES + length * NUMBER_BYTES);
    const copy: unknown[] = [];
    for (let i = 0; i < length; i++) copy.push(takeItem(items[i], walk, depth));
    return copy;
  };
}

function takeMap(checkKey: MapKeyCheck, takeValue: Take): Take {
  return (value, walk, depth) => {
    const record = mapValue(value);
    const copy: Record<string, unknown> = {};
    for (const name of Object.keys(record)) {
      const key = String(checkKey(name));
      // It would set the prototype.
      if (key === '__proto__') throw ODD;
      count(walk, ENTRY_BYTES + BYTES_OF_UNIT * key.length);
      copy[key] = takeValue(record[name], walk, depth);
    }
    return copy;
  };
}

/** The entry, its key and its value, of which each has a tag. */
const ENTRY_BYTES = 2 * HEAD_BYTES + NUMBER_BYTES;

/** A Struct is a message with entries, whose values are messages that may be a Struct. */
export const DEPTH_OF_LEVEL = 3;

/** google.protobuf.Struct in a field, which is plain JSON there. */
function takeJsonObject(value: unknown, walk: Walk, depth: number): object {
  if (depth > MAX_DEPTH || !isPlainObject(value)) throw ODD;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key === '__proto__' || !key.isWellFormed()) throw ODD;
    count(walk, 3 * HEAD_BYTES + BYTES_OF_UNIT * key.length);
    copy[key] = takeJson(value[key], walk, depth + DEPTH_OF_LEVEL);
  }
  return copy;
}

function takeJson(value: unknown, walk: Walk, depth: number): unknown {
  count(walk, NUMBER_BYTES + HEAD_BYTES);
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw ODD;
      count(walk, BYTES_OF_UNIT * value.length);
      return value;
    case 'number':
      // JSON has no form for the others.
      if (!Number.isFinite(value)) throw ODD;
      return value;
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return value;
      return Array.isArray(value)
        ? takeJsonArray(value, walk, depth)
        : takeJsonObject(value, walk, depth);
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
      throw ODD;
  }
}

function takeJsonArray(items: readonly unknown[], walk: Walk, depth: number): unknown[] {
  if (depth > MAX_DEPTH) throw ODD;
  const copy: unknown[] = [];
  for (let i = 0; i < items.length; i++) {
    copy.push(takeJson(items[i], walk, depth + DEPTH_OF_LEVEL));
  }
  return copy;
}
