import { equals, type DescMessage } from '@bufbuild/protobuf';
import { CelMap, CelTypeName, CelUint, isCelMap, isMessageValue, mapKey } from './cel-value.js';

/** Finds the descriptor of a message by its full name. */
export type FindMessage = (fullName: string) => DescMessage | undefined;

/** Equality of CEL: numbers across their types, lists and maps by their parts, other types never equal. */
export function equalValues(a: unknown, b: unknown, find: FindMessage): boolean {
  if (a === b) return true;
  const left = a instanceof CelUint ? a.value : a;
  const right = b instanceof CelUint ? b.value : b;
  if (isNumber(left)) return isNumber(right) && numbersEqual(left, right);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return false;
  }
  return equalObjects(left, right, find);
}

/** Exact, so that 9007199254740993 is not 9007199254740992.0; NaN equals nothing. */
function numbersEqual(a: number | bigint, b: number | bigint): boolean {
  if (typeof a === typeof b) return a === b;
  const [whole, double] = typeof a === 'bigint' ? [a, Number(b)] : [b, a];
  return Number.isInteger(double) && BigInt(double) === whole;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || typeof value === 'number';
}

function equalObjects(a: object, b: object, find: FindMessage): boolean {
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((element, at) => equalValues(element, b[at], find))
    );
  }
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (isCelMap(a)) return isCelMap(b) && equalMaps(a, b, find);
  if (a instanceof CelTypeName) return b instanceof CelTypeName && a.name === b.name;
  if (!isMessageValue(a) || !isMessageValue(b) || a.$typeName !== b.$typeName) return false;
  const desc = find(a.$typeName);
  return desc !== undefined && equals(desc, a, b);
}

function equalMaps(a: CelMap, b: CelMap, find: FindMessage): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const as = mapKey(key);
    if (as === undefined) return false;
    const other = b.get(as);
    if (other === undefined || !equalValues(a.get(as), other, find)) return false;
  }
  return true;
}

/** Negative, 0 or positive, byte by byte. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The order of code points, which is that of UTF-8; the order of JavaScript is that of UTF-16 code units. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  const left = a.charCodeAt(at);
  const right = b.charCodeAt(at);
  // A surrogate, the half of a code point above U+FFFF, comes after all single units.
  const leftHalf = left >= 0xd800 && left < 0xe000;
  const rightHalf = right >= 0xd800 && right < 0xe000;
  if (leftHalf !== rightHalf) return leftHalf ? 1 : -1;
  return left - right;
}

/** Numbers of any two types; NaN for a comparison with NaN. An int and a double compare as doubles, as in CEL. */
export function compareNumbers(a: unknown, b: unknown): number | undefined {
  const left = a instanceof CelUint ? a.value : a;
  const right = b instanceof CelUint ? b.value : b;
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (!isNumber(left) || !isNumber(right)) return undefined;
  const x = Number(left);
  const y = Number(right);
  if (x < y) return -1;
  if (x > y) return 1;
  return x === y ? 0 : Number.NaN;
}
