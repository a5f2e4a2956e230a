import { type DescEnum, ScalarType } from '@bufbuild/protobuf';
import type { Dice } from './dice.fixture.js';

const INTS = [0, 1, -1, 127, 128, 300, -129, 65_535, 2 ** 21, 2 ** 28, 2 ** 31 - 1, -(2 ** 31)];
const UNSIGNED = [0, 1, 127, 128, 16_383, 16_384, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
const LONGS = [
  0n,
  1n,
  -1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n,
  -(2n ** 53n) - 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];
const DOUBLES = [
  0,
  -0,
  1.5,
  -1,
  0.1,
  1e21,
  1e-7,
  123_456_789,
  2 ** 53,
  5e-324,
  1.7976931348623157e308,
];
const NO_NUMBERS = [NaN, Infinity, -Infinity];
const FLOATS = [0, -0, 1.5, 3.4028234663852886e38, 1.401298464324817e-45, 16_777_216, -2];
const PIECES = [
  'a',
  'shop',
  ' ',
  '"',
  '\\',
  '/',
  '\n',
  '\u0000',
  '\u001f',
  '\u007f',
  '\u0080',
  'ß',
  'é',
  '\u2028',

  '日本語',
  '🌍',
  '\uffff',
  '\ufeff',
  '<',
  "'",
  '\u{10ffff}',
  '0123456789',
  'plain text '.repeat(4),
];

/** A value that the type may have, often one at the end of its range. */
export function randomScalar(dice: Dice, type: ScalarType): unknown {
  switch (type) {
    case ScalarType.DOUBLE:
      if (dice.chance(0.1)) return dice.pick(NO_NUMBERS);
      return dice.chance(0.6) ? dice.pick(DOUBLES) : (dice.next() - 0.5) * 10 ** dice.int(-20, 20);
    case ScalarType.FLOAT:
      if (dice.chance(0.1)) return dice.pick(NO_NUMBERS);
      return Math.fround(dice.chance(0.5) ? dice.pick(FLOATS) : (dice.next() - 0.5) * 1e6);
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return dice.chance(0.6) ? dice.pick(INTS) : dice.int(-(2 ** 31), 2 ** 31 - 1);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return dice.chance(0.6) ? dice.pick(UNSIGNED) : dice.int(0, 2 ** 32 - 1);
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return dice.chance(0.6) ? dice.pick(LONGS) : BigInt.asIntN(64, dice.bits64());
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return BigInt.asUintN(64, dice.chance(0.6) ? dice.pick(LONGS) : dice.bits64());
    case ScalarType.BOOL:
      return dice.chance(0.5);
    case ScalarType.STRING:
      return randomText(dice);
    case ScalarType.BYTES:
      return randomBytes(dice);
  }
}

/** Well-formed text: short, empty, with all that must be escaped, sometimes long. */
export function randomText(dice: Dice): string {
  const text = dice.list(5, () => dice.pick(PIECES)).join('');
  if (dice.chance(0.005)) return text + 'long '.repeat(dice.int(10, 1_500)) + text;
  return dice.chance(0.3) ? `name-${dice.int(0, 999)}` : text;
}

export function randomBytes(dice: Dice): Uint8Array {
  const bytes = new Uint8Array(dice.chance(0.005) ? dice.int(0, 5_000) : dice.int(0, 9));
  for (let at = 0; at < bytes.length; at++) bytes[at] = dice.int(0, 255);
  return bytes;
}

/** A number that a message may hold: of a closed enum only those that it names. */
export function randomEnum(dice: Dice, desc: DescEnum): number {
  if (desc.open && dice.chance(0.15)) return dice.pick(INTS);
  return dice.pick(desc.values).number;
}
