import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { isGroup, wireScalar, wireTypeOf } from './wire-type.js';

/** Numbers from 0 up to, not with, a limit; the same seed gives the same ones. */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/**
 * Bytes that are a message of a type: fields in any order and any number of times, packed or not,
 * entries without a key, unknown fields and groups. Closed enums get values that they have.
 */
export function randomWire(desc: DescMessage, random: Random, depth = 0): Uint8Array {
  const writer = new BinaryWriter();
  const count = random(depth === 0 ? 12 : 5);
  for (let i = 0; i < count; i++) {
    const field = desc.fields[random(desc.fields.length)];
    if (field === undefined || random(12) === 0) unknownField(writer, random);
    else randomField(writer, field, random, depth);
  }
  return writer.finish();
}

function randomField(writer: BinaryWriter, field: DescField, random: Random, depth: number): void {
  const { number } = field;
  if (field.fieldKind === 'map') {
    writer.tag(number, WireType.LengthDelimited).bytes(randomEntry(field, random, depth));
    return;
  }
  const scalar = wireScalar(field);
  if (scalar === undefined) {
    message(writer, number, field, random, depth);
    return;
  }
  const type = wireTypeOf(scalar);
  if (field.fieldKind === 'list' && type !== WireType.LengthDelimited && random(2) === 0) {
    const packed = new BinaryWriter();
    for (let i = random(4); i > 0; i--) value(packed, scalar, field, random);
    writer.tag(number, WireType.LengthDelimited).bytes(packed.finish());
    return;
  }
  // Several of one field follow one another more often than not.
  const times = field.fieldKind === 'list' ? 1 + random(3) : 1;
  for (let i = 0; i < times; i++) value(writer.tag(number, type), scalar, field, random);
}

function message(
  writer: BinaryWriter,
  number: number,
  field: DescField,
  random: Random,
  depth: number,
): void {
  const bytes = depth > 4 ? new Uint8Array(0) : randomWire(field.message!, random, depth + 1);
  if (isGroup(field)) {
    writer.tag(number, WireType.StartGroup).raw(bytes).tag(number, WireType.EndGroup);
  } else writer.tag(number, WireType.LengthDelimited).bytes(bytes);
}

function randomEntry(
  field: DescField & { readonly fieldKind: 'map' },
  random: Random,
  depth: number,
): Uint8Array {
  const writer = new BinaryWriter();
  if (random(6) > 0) {
    value(writer.tag(1, wireTypeOf(field.mapKey)), field.mapKey, field, random);
  }
  const times = random(6) === 0 ? random(3) : 1;
  const scalar = wireScalar(field);
  for (let i = 0; i < times; i++) {
    if (scalar === undefined) message(writer, 2, field, random, depth);
    else value(writer.tag(2, wireTypeOf(scalar)), scalar, field, random);
  }
  if (random(10) === 0) unknownField(writer, random);
  return writer.finish();
}

function unknownField(writer: BinaryWriter, random: Random): void {
  const number = 5000 + random(3);
  switch (random(5)) {
    case 0:
      writer.tag(number, WireType.Varint).uint64(BigInt(random(2 ** 30)) ** 2n);
      return;
    case 1:
      writer.tag(number, WireType.Bit64).double(random(1000));
      return;
    case 2:
      writer.tag(number, WireType.Bit32).float(random(1000));
      return;
    case 3:
      writer.tag(number, WireType.LengthDelimited).string(randomText(random));
      return;
    default:
      writer.tag(number, WireType.StartGroup);
      if (random(2) === 0) unknownField(writer, random);
      writer.tag(number, WireType.EndGroup);
  }
}

const TEXTS = ['', '__proto__', 'constructor', 'a', 'é', '😀', '\ufeffbom', '\u0000', '\ufffd'];
const LENGTHS = [12, 13, 47, 48, 49, 127, 128, 130, 1030, 5000];

function randomText(random: Random): string {
  if (random(3) > 0) return TEXTS[random(TEXTS.length)]! + TEXTS[random(TEXTS.length)]!;
  const length = LENGTHS[random(LENGTHS.length)]!;
  return (random(4) === 0 ? 'ü' : 'x').repeat(length);
}

const SMALL = [0, 1, -1, 5, 127, 128, 16383, 16384, 2 ** 31 - 1, -(2 ** 31)];
const LONGS = [0n, 1n, -1n, 127n, 128n, 2n ** 28n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 63n - 1n];

function value(writer: BinaryWriter, type: ScalarType, field: DescField, random: Random): void {
  const small = SMALL[random(SMALL.length)]! ^ (random(3) === 0 ? random(2 ** 31) : 0);
  const long = BigInt.asIntN(64, LONGS[random(LONGS.length)]! ** BigInt(1 + random(2)));
  switch (type) {
    case ScalarType.STRING:
      writer.string(randomText(random));
      return;
    case ScalarType.BYTES:
      writer.bytes(Uint8Array.from({ length: random(20) }, () => random(256)));
      return;
    case ScalarType.BOOL:
      writer.bool(random(2) === 0);
      return;
    case ScalarType.DOUBLE:
      writer.double([0, -0, NaN, Infinity, 0.1, 1e300][random(6)]!);
      return;
    case ScalarType.FLOAT:
      writer.float([0, -0, NaN, -Infinity, 0.1, 1e38][random(6)]!);
      return;
    case ScalarType.INT32:
      writer.int32(field.enum === undefined || field.enum.open ? small : closed(field, random));
      return;
    case ScalarType.SINT32:
      writer.sint32(small);
      return;
    case ScalarType.SFIXED32:
      writer.sfixed32(small);
      return;
    case ScalarType.UINT32:
      writer.uint32(small >>> 0);
      return;
    case ScalarType.FIXED32:
      writer.fixed32(small >>> 0);
      return;
    case ScalarType.INT64:
      writer.int64(long);
      return;
    case ScalarType.SINT64:
      writer.sint64(long);
      return;
    case ScalarType.SFIXED64:
      writer.sfixed64(long);
      return;
    case ScalarType.UINT64:
      writer.uint64(BigInt.asUintN(64, long));
      return;
    case ScalarType.FIXED64:
      writer.fixed64(BigInt.asUintN(64, long));
  }
}

function closed(field: DescField, random: Random): number {
  const { values } = field.enum!;
  return values[random(values.length)]!.number;
}
