import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { isPlainObject } from '@apix/contracts/internal';
import { localForm } from '../values/local-form.js';
import { listValue, mapValue } from '../values/holder-value.js';
import { enumCheck } from '../values/scalar-value.js';
import { type MapKeyCheck, mapKeyCheck } from '../values/map-key.js';
import {
  BYTES_OF_UNIT,
  takeScalar,
  HEAD_BYTES,
  NUMBER_BYTES,
  ODD,
  type Take,
  count,
  MAX_DEPTH,
  type Walk,
} from './walk.js';

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
