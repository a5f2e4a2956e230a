import type { Message } from '@bufbuild/protobuf';
import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';
import { CelError } from '../cel-error.js';

/**
 * What a value is at the evaluation: bool boolean, int bigint, uint CelUint, double number, string string, bytes
 * Uint8Array, null null, timestamp and duration messages of protobuf-es, a list an array, a map a CelMap, a type a
 * CelTypeName, a message a message of protobuf-es.
 */
export type CelValueKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'message';

/** An unsigned integer: a bigint alone is an int. */
export class CelUint {
  constructor(readonly value: bigint) {}
}

/** The value of `type(x)`, and of the name of a type. */
export class CelTypeName {
  constructor(readonly name: string) {}
}

/** A map: of a literal, of a field, of a Struct or of an object of the host. */
export interface CelMap {
  readonly size: number;
  /** The value, or undefined. The key is one that `mapKey` made. */
  get(key: MapKey): unknown;
  /** The keys as values of CEL. */
  keys(): Iterable<unknown>;
}

/** A key as maps compare it: 1, 1u and 1.0 are the same key. */
export type MapKey = string | bigint | boolean;

/** The key that a value is, or undefined if it cannot be one. */
export function mapKey(value: unknown): MapKey | undefined {
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') {
    return value;
  }
  if (value instanceof CelUint) return value.value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  return undefined;
}

/** A map of entries that are values already. */
export class EntryMap implements CelMap {
  constructor(private readonly entries: ReadonlyMap<MapKey, readonly [unknown, unknown]>) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: MapKey): unknown {
    return this.entries.get(key)?.[1];
  }

  *keys(): Iterable<unknown> {
    for (const [key] of this.entries.values()) yield key;
  }
}

/** A map over an object with names as keys; a value is converted when it is read. */
export class ObjectMap implements CelMap {
  constructor(
    private readonly object: Readonly<Record<string, unknown>>,
    private readonly toValue: (raw: unknown) => unknown,
  ) {}

  get size(): number {
    return Object.keys(this.object).length;
  }

  get(key: MapKey): unknown {
    if (typeof key !== 'string' || !Object.hasOwn(this.object, key)) return undefined;
    return this.toValue(this.object[key]);
  }

  keys(): Iterable<unknown> {
    return Object.keys(this.object);
  }
}

export function isCelMap(value: unknown): value is CelMap {
  return value instanceof ObjectMap || value instanceof EntryMap;
}

/** Whether the value is a message of protobuf-es, of whatever type. */
export function isMessageValue(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && '$typeName' in value;
}

export function isTimestamp(value: unknown): value is Timestamp {
  return isMessageValue(value) && value.$typeName === 'google.protobuf.Timestamp';
}

export function isDuration(value: unknown): value is Duration {
  return isMessageValue(value) && value.$typeName === 'google.protobuf.Duration';
}

/** The kind of a value; undefined for what is not a value of CEL, such as an error. */
export function kindOf(value: unknown): CelValueKind | undefined {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'string') return 'string';
  return typeof value === 'object' ? kindOfObject(value) : undefined;
}

function kindOfObject(value: object | null): CelValueKind | undefined {
  if (value === null) return 'null';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (Array.isArray(value)) return 'list';
  if (isCelMap(value)) return 'map';
  if (value instanceof CelTypeName) return 'type';
  if (isTimestamp(value)) return 'timestamp';
  if (isDuration(value)) return 'duration';
  return isMessageValue(value) ? 'message' : undefined;
}

/** The name of the type of a value, as `type(x)` has it. */
export function typeNameOf(value: unknown): string {
  const kind = kindOf(value);
  if (kind === 'null') return 'null_type';
  return isMessageValue(value) ? value.$typeName : (kind ?? 'error');
}

/** The error of a function for values that it does not take. */
export function noSuchOverload(name: string, ...values: readonly unknown[]): CelError {
  return new CelError(`no overload of ${name} for (${values.map(typeNameOf).join(', ')})`);
}
