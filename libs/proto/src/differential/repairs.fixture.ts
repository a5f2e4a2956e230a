import type { Registry } from '@bufbuild/protobuf';

/** A document that says the same, in the words that protobuf-es takes for what they say. */
export interface Repair {
  /** The difference that it takes away, as in the documentation. */
  readonly name: string;
  readonly json: string;
}

const TOKEN = /"(?:[^"\\]|\\[^])*"|-?\d[\d.eE+-]*/g;
const MEMBER_OF_EXTENSION = /"\[([^"\\\]]+)\]"\s*:\s*(null|"(?:[^"\\]|\\[^])*")/g;
const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const NULL = 'null leaves an extension unset';
const IGNORED = 'a name of an enum that is ignored leaves an extension unset';
const DIGITS = 'every digit of a 64-bit integer is kept';
const ZEROS =
  'a 64-bit integer that its field keeps as text has no zeros before it, as from the wire';
/** No integer that is read has more digits. */
const MOST_ZEROS = 20;

/** All that may be done to a document without changing what it says. */
export function* repairsOf(json: string, registry: Registry): Generator<Repair> {
  const withoutNulls = without(json, (name, value) => value === 'null' && !hasNull(registry, name));
  if (withoutNulls !== json) yield { name: NULL, json: withoutNulls };
  const rest = without(withoutNulls, (name, value) => isNoName(registry, name, value));
  if (rest !== withoutNulls) yield { name: IGNORED, json: rest };
  const integers = longIntegersIn(rest);
  const quoted = inQuotes(rest, integers);
  if (quoted !== rest) yield { name: DIGITS, json: quoted };
  // Where a number is meant, in a Struct for one, it must stay one.
  for (const [one, other] of pairsOf(integers)) {
    const others = integers.filter((piece) => piece !== one && piece !== other);
    yield { name: DIGITS, json: inQuotes(rest, others) };
  }
  // Where a text is meant, its zeros belong to it.
  for (const pair of pairsOf(paddedIntegersIn(quoted))) {
    yield { name: ZEROS, json: inQuotes(quoted, [...new Set(pair)]) };
  }
}

/** Each with each that follows, and with itself. */
function pairsOf<T>(all: readonly T[]): (readonly [T, T])[] {
  return all.flatMap((one, at) => all.slice(at).map((other) => [one, other] as const));
}

/** Leaves out members of extensions. */
function without(json: string, isLeftOut: (name: string, value: string) => boolean): string {
  let left = json;
  for (const [member, name, value] of json.matchAll(MEMBER_OF_EXTENSION)) {
    if (!isLeftOut(name!, value!)) continue;
    const [before, ...after] = left.split(member);
    const behind = after.join(member);
    left = /^\s*,/.test(behind)
      ? before + behind.replace(/^\s*,/, '')
      : before!.replace(/,\s*$/, '') + behind;
  }
  return left;
}

/** For these null is a value. */
function hasNull(registry: Registry, name: string): boolean {
  const type = registry.getExtension(name)?.message ?? registry.getExtension(name)?.enum;
  return ['google.protobuf.Value', 'google.protobuf.NullValue'].includes(type?.typeName ?? '');
}

function isNoName(registry: Registry, name: string, value: string): boolean {
  const extension = registry.getExtension(name);
  if (extension?.fieldKind !== 'enum' || value === 'null') return false;
  const text = JSON.parse(value) as unknown;
  return extension.enum.values.every((one) => one.name !== text && one.jsonName !== text);
}

interface Piece {
  readonly at: number;
  readonly token: string;
  readonly digits: string;
}

function longIntegersIn(json: string): Piece[] {
  return [...json.matchAll(TOKEN)].flatMap(({ 0: token, index: at }) => {
    const isShort = token.startsWith('"') || Math.abs(Number(token)) <= Number.MAX_SAFE_INTEGER;
    const digits = isShort ? undefined : integerOf(token);
    return digits === undefined ? [] : [{ at, token, digits }];
  });
}

function paddedIntegersIn(json: string): Piece[] {
  return [...json.matchAll(TOKEN)].flatMap(({ 0: token, index: at }) =>
    /^"-?0\d*"$/.test(token) ? [{ at, token, digits: String(BigInt(token.slice(1, -1))) }] : [],
  );
}

function integerOf(token: string): string | undefined {
  const match = DECIMAL.exec(token);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const zeros = Number(exponent) - fraction.length;
  if (Math.abs(zeros) > MOST_ZEROS) return undefined;
  const digits = BigInt(whole + fraction);
  const factor = 10n ** BigInt(Math.abs(zeros));
  if (zeros < 0 && digits % factor !== 0n) return undefined;
  const integer = zeros < 0 ? digits / factor : digits * factor;
  return `${token.startsWith('-') ? '-' : ''}${integer}`;
}

function inQuotes(json: string, pieces: readonly Piece[]): string {
  let text = '';
  let from = 0;
  for (const { at, token, digits } of pieces) {
    text += `${json.slice(from, at)}"${digits}"`;
    from = at + token.length;
  }
  return text + json.slice(from);
}
