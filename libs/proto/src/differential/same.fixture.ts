import type { UnknownField } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';

interface Members {
  readonly [key: string]: unknown;
}

/** What was met that is not counted as a difference. */
export interface SeenDifference {
  /** The first has unknown values of closed enums that the second has lost. */
  unknownKept: boolean;
  /** A number is that of the second with the digits that 32 bits hold. */
  rounded: boolean;
}

/**
 * Where two values of messages differ for a user, as a path with both values; null where they do
 * not. Stricter than an equality of messages: members, what they inherit, their classes, -0.
 */
export function differenceOf(
  a: unknown,
  b: unknown,
  path = '$',
  seen?: SeenDifference,
): string | null {
  if (Object.is(a, b)) return null;
  if (seen !== undefined && typeof a === 'number' && a === Math.fround(b as number)) {
    seen.rounded = true;
    return null;
  }
  if (!isObject(a) || !isObject(b)) return `${path}: ${shown(a)} is not ${shown(b)}`;
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    const isSame = a.constructor === b.constructor && haveSameBytes(a, b, path);
    return isSame ? null : `${path}: ${shown(a)} is not ${shown(b)}`;
  }
  const prototypes = [a, b].map((one) => Object.getPrototypeOf(one) as unknown);
  if (!inheritTheSame(prototypes[0], prototypes[1])) return `${path}: inherits something else`;
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) {
    return `${path}: ${a.length} items are not ${b.length}`;
  }
  if (seen !== undefined && keepsMore(a, b)) {
    seen.unknownKept = true;
    const [withoutA, withoutB] = [a, b].map((one) => ({ ...one, $unknown: [] }));
    return differenceOf(withoutA, withoutB, path, seen);
  }
  const keys = membersOf(a);
  const others = membersOf(b);
  const missing = [
    ...keys.filter((key) => !others.includes(key)),
    ...others.filter((key) => !keys.includes(key)),
  ];
  if (missing.length > 0) return `${path}: only one of them has ${missing.join(', ')}`;
  for (const key of keys) {
    const found = differenceOf(a[key], b[key], `${path}.${key}`, seen);
    if (found !== null) return found;
  }
  return null;
}

/**
 * An Any and an extension hold messages as bytes, in which entries of maps may be in another
 * order: there only which bytes there are is compared.
 */
function haveSameBytes(a: Uint8Array, b: Uint8Array, path: string): boolean {
  if (Buffer.compare(a, b) === 0) return true;
  const isMessage = /(\.value|\.data)$/.test(path);
  return isMessage && Buffer.compare(a.toSorted(), b.toSorted()) === 0;
}

/** True where `a` has all the unknown fields of `b`, and numbers besides. */
function keepsMore(a: Members, b: Members): boolean {
  const [all, some] = [a, b].map(({ $unknown }) => (Array.isArray($unknown) ? $unknown : []));
  if (all!.length <= some!.length) return false;
  const rest = [...(all as readonly UnknownField[])];
  for (const field of some as readonly UnknownField[]) {
    const at = rest.findIndex((other) => differenceOf(other, field) === null);
    if (at < 0) return false;
    rest.splice(at, 1);
  }
  return rest.every(
    ({ wireType }) => wireType === WireType.Varint || wireType === WireType.LengthDelimited,
  );
}

/** A message without unknown fields may have an empty list of them. */
function membersOf(value: Members): string[] {
  const keys = Object.keys(value);
  const unknown = value['$unknown'];
  const hasNone = Array.isArray(unknown) && unknown.length === 0 && '$typeName' in value;
  return hasNone ? keys.filter((key) => key !== '$unknown') : keys;
}

/** Two messages of one type may each have their own prototype with its zero values. */
function inheritTheSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Reflect.ownKeys(a);
  return (
    keys.length === Reflect.ownKeys(b).length &&
    keys.every((key) => Object.hasOwn(b, key)) &&
    inheritTheSame(Object.getPrototypeOf(a), Object.getPrototypeOf(b))
  );
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  if (value instanceof Uint8Array) {
    return `${value.constructor.name} ${Buffer.from(value).toString('hex').slice(0, 60)}`;
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  return typeof value === 'string' ? JSON.stringify(value).slice(0, 80) : String(value);
}
