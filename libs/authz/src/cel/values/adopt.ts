import type { Message } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { formatCelType, type CelType } from '../cel-type.js';
import {
  EntryMap,
  isCelMap,
  isDuration,
  isMessageValue,
  isTimestamp,
  mapKey,
  ObjectMap,
} from './cel-value.js';
import type { MapKey } from './cel-value.js';
import { DynamicValues, notAValue, toInt, toUint, type ToValue } from './read-value.js';

/** How the value that a host gives for a variable becomes one of the declared type; an error if it is not. */
export function adopter(type: CelType, dynamic: DynamicValues): ToValue {
  switch (type.kind) {
    case 'bool':
      return (raw) => (typeof raw === 'boolean' ? raw : notAValue(raw, 'a bool'));
    case 'int':
      return (raw) => (typeof raw === 'string' ? notAValue(raw, 'an int') : toInt(raw));
    case 'uint':
      return (raw) => (typeof raw === 'string' ? notAValue(raw, 'a uint') : toUint(raw));
    case 'double':
      return (raw) => (typeof raw === 'number' ? raw : notAValue(raw, 'a double'));
    case 'string':
      return (raw) => (typeof raw === 'string' ? raw : notAValue(raw, 'a string'));
    case 'bytes':
      return (raw) => (raw instanceof Uint8Array ? raw : notAValue(raw, 'bytes'));
    case 'null':
      return (raw) => (raw === null ? raw : notAValue(raw, 'null'));
    case 'timestamp':
      return (raw) => {
        if (isTimestamp(raw)) return raw;
        return raw instanceof Date ? timestampFromDate(raw) : notAValue(raw, 'a timestamp');
      };
    case 'duration':
      return (raw) => (isDuration(raw) ? raw : notAValue(raw, 'a duration'));
    case 'list':
      return adoptList(type.element, dynamic);
    case 'map':
      return adoptMap(type.value, dynamic);
    case 'message': {
      const { typeName } = type.desc;
      return (raw) =>
        typeof raw === 'object' && (raw as Message | null)?.$typeName === typeName
          ? raw
          : notAValue(raw, `a message ${typeName}`);
    }
    case 'wrapper': {
      const inner = adopter({ kind: type.of }, dynamic);
      return (raw) =>
        raw === null ? null : inner(isMessageValue(raw) ? dynamic.toValue(raw) : raw);
    }
    case 'dyn':
    case 'type':
    case 'param':
      return dynamic.toValue;
  }
}

/** An array of texts and the like stays the array that it is: reading `subject.roles` copies nothing. */
function adoptList(element: CelType, dynamic: DynamicValues): ToValue {
  const asIs = element.kind === 'string' || element.kind === 'bool' || element.kind === 'double';
  const adopt = adopter(element, dynamic);
  return (raw) => {
    const array: unknown = raw instanceof Set ? [...(raw as ReadonlySet<unknown>)] : raw;
    const list: unknown = isMessageValue(array) ? dynamic.toValue(array) : array;
    if (!Array.isArray(list))
      return notAValue(raw, `a ${formatCelType({ kind: 'list', element })}`);
    return asIs ? list : list.map(adopt);
  };
}

function adoptMap(value: CelType, dynamic: DynamicValues): ToValue {
  const adopt = adopter(value, dynamic);
  return (raw) => {
    if (raw instanceof Map) return adoptEntries(raw, adopt);
    if (isCelMap(raw)) return raw;
    if (isMessageValue(raw)) {
      const read = dynamic.toValue(raw);
      return isCelMap(read) ? read : notAValue(raw, 'a map');
    }
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
      return notAValue(raw, 'a map');
    return new ObjectMap(raw as Readonly<Record<string, unknown>>, adopt);
  };
}

function adoptEntries(raw: ReadonlyMap<unknown, unknown>, adopt: ToValue): unknown {
  const entries = new Map<MapKey, readonly [unknown, unknown]>();
  for (const [name, value] of raw) {
    const key = mapKey(name);
    if (key === undefined) return notAValue(name, 'a key of a map');
    entries.set(key, [name, adopt(value)]);
  }
  return new EntryMap(entries);
}
