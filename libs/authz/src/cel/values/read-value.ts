import { fromBinary, ScalarType, type DescMessage, type Message } from '@bufbuild/protobuf';
import { timestampFromDate, type Any } from '@bufbuild/protobuf/wkt';
import { CelError } from '../cel-error.js';
import {
  CelTypeName,
  CelUint,
  EntryMap,
  isCelMap,
  isMessageValue,
  mapKey,
  ObjectMap,
} from './cel-value.js';
import type { MapKey } from './cel-value.js';
import type { FindMessage } from './compare.js';

/** Makes a value of what the host or protobuf-es holds. */
export type ToValue = (raw: unknown) => unknown;

/** For a scalar of protobuf-es; undefined where it is a value as it is. */
export function scalarToValue(scalar: ScalarType): ToValue | undefined {
  switch (scalar) {
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return toInt;
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return toUint;
    case ScalarType.BOOL:
    case ScalarType.STRING:
    case ScalarType.BYTES:
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return undefined;
  }
}

/** Enums and most counts are small: no new bigint for them. */
const SMALL: readonly bigint[] = Array.from({ length: 256 }, (_, at) => BigInt(at));

/** An int of a bigint, a whole number or, for fields with `jstype`, a text. */
export function toInt(raw: unknown): unknown {
  if (typeof raw === 'bigint') return raw;
  if (typeof raw === 'number') return SMALL[raw] ?? BigInt(raw);
  if (typeof raw === 'string') return BigInt(raw);
  return raw instanceof CelUint ? raw.value : notAValue(raw, 'an int');
}

export function toUint(raw: unknown): unknown {
  if (raw instanceof CelUint) return raw;
  const value = toInt(raw);
  return typeof value === 'bigint' ? new CelUint(value) : value;
}

/** Names what was given by its type only: its text may be anything. */
export function notAValue(raw: unknown, wanted: string): CelError {
  const given = isMessageValue(raw) ? raw.$typeName : raw === null ? 'null' : typeof raw;
  return new CelError(`${given} is not ${wanted}`);
}

/** Values of type `dyn`: of JSON, of messages of any type, and of values already made. */
export class DynamicValues {
  constructor(readonly find: FindMessage) {}

  readonly toValue = (raw: unknown): unknown => {
    if (typeof raw !== 'object') {
      const none =
        typeof raw === 'undefined' || typeof raw === 'function' || typeof raw === 'symbol';
      return none ? notAValue(raw, 'a value') : raw;
    }
    if (raw === null || raw instanceof Uint8Array || raw instanceof CelUint) return raw;
    if (Array.isArray(raw)) return raw.map(this.toValue);
    if (isCelMap(raw) || raw instanceof CelTypeName || raw instanceof CelError) return raw;
    if (isMessageValue(raw)) return this.ofMessage(raw);
    if (raw instanceof Date) return timestampFromDate(raw);
    if (raw instanceof Set) return Array.from(raw, this.toValue);
    if (raw instanceof Map) return this.ofMap(raw);
    return new ObjectMap(raw as Readonly<Record<string, unknown>>, this.toValue);
  };

  private ofMap(raw: ReadonlyMap<unknown, unknown>): unknown {
    const entries = new Map<MapKey, readonly [unknown, unknown]>();
    for (const [name, value] of raw) {
      const key = mapKey(name);
      if (key === undefined) return notAValue(name, 'a key of a map');
      entries.set(key, [name, this.toValue(value)]);
    }
    return new EntryMap(entries);
  }

  private ofMessage(message: Message): unknown {
    const parts = message as unknown as Readonly<Record<string, unknown>>;
    switch (message.$typeName) {
      case 'google.protobuf.Struct':
        return new ObjectMap(parts['fields'] as Readonly<Record<string, unknown>>, this.toValue);
      case 'google.protobuf.ListValue':
        return (parts['values'] as readonly unknown[]).map(this.toValue);
      case 'google.protobuf.Value':
        return this.ofKind(parts['kind'] as { readonly case?: string; readonly value?: unknown });
      case 'google.protobuf.Any':
        return this.ofAny(message as Any);
      default:
        return this.ofWrapper(message.$typeName, parts['value']) ?? message;
    }
  }

  private ofKind(kind: { readonly case?: string; readonly value?: unknown }): unknown {
    if (kind.case === undefined || kind.case === 'nullValue') return null;
    return this.toValue(kind.value);
  }

  private ofWrapper(typeName: string, value: unknown): unknown {
    switch (typeName) {
      case 'google.protobuf.Int32Value':
      case 'google.protobuf.Int64Value':
        return toInt(value);
      case 'google.protobuf.UInt32Value':
      case 'google.protobuf.UInt64Value':
        return toUint(value);
      case 'google.protobuf.BoolValue':
      case 'google.protobuf.FloatValue':
      case 'google.protobuf.DoubleValue':
      case 'google.protobuf.StringValue':
      case 'google.protobuf.BytesValue':
        return value;
      default:
        return undefined;
    }
  }

  private ofAny(any: Any): unknown {
    const name = any.typeUrl.slice(any.typeUrl.lastIndexOf('/') + 1);
    const desc: DescMessage | undefined = name === '' ? undefined : this.find(name);
    if (desc === undefined) return new CelError(`the type of an Any is not known: "${name}"`);
    try {
      return this.ofMessage(fromBinary(desc, any.value));
    } catch (error) {
      return new CelError(`the bytes of an Any are not a ${name}`, error);
    }
  }
}
