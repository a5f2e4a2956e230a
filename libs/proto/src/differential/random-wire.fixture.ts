import {
  type DescExtension,
  type DescField,
  type DescMessage,
  ScalarType,
} from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Dice } from './dice.fixture.js';
import { randomBytes, randomEnum, randomScalar } from './random-scalars.fixture.js';
import type { World } from './random-types.fixture.js';

const MOST_LEVELS = 5;
const MOST_FIELDS = 60;

/**
 * Draws messages on the wire as no writer writes them, and any reader must read them: fields in any order,
 * given again and again, packed or not, with fields that no one knows between them. One in some is damaged.
 */
export class RandomWire {
  #left = MOST_FIELDS;

  constructor(
    private readonly dice: Dice,
    private readonly world: World,
  ) {}

  /** @param damage the share of messages with bytes that are wrong. */
  message(desc: DescMessage, damage: number): Uint8Array {
    const writer = new BinaryWriter();
    this.#fields(writer, desc, MOST_LEVELS);
    const bytes = writer.finish();
    return this.dice.chance(damage) ? this.#damaged(bytes) : bytes;
  }

  #fields(writer: BinaryWriter, desc: DescMessage, levels: number): void {
    const { dice } = this;
    const extensions = this.world.extensions.filter(
      ({ extendee }) => extendee.typeName === desc.typeName,
    );
    for (let left = dice.int(0, levels > 0 ? 9 : 2); left > 0 && this.#left-- > 0; left--) {
      const roll = dice.next();
      if (roll < 0.07) this.#unknown(writer, levels);
      else if (roll < 0.2 && extensions.length > 0)
        this.#field(writer, dice.pick(extensions), levels);
      else if (desc.fields.length > 0) this.#field(writer, dice.pick(desc.fields), levels);
    }
  }

  #field(writer: BinaryWriter, field: DescField | DescExtension, levels: number): void {
    const { dice } = this;
    if (field.fieldKind === 'map') {
      writer.tag(field.number, WireType.LengthDelimited).fork();
      for (const part of dice.shuffle(dice.some(['key', 'value', 'value', 'other'], 0.6))) {
        if (part === 'key') this.#scalar(writer, 1, field.mapKey);
        else if (part === 'other') this.#unknown(writer, levels);
        else this.#value(writer, field, 2, levels);
      }
      writer.join();
      return;
    }
    if (field.fieldKind === 'list' && this.#isPackable(field) && dice.chance(0.5)) {
      writer.tag(field.number, WireType.LengthDelimited).fork();
      for (const _ of dice.list(5, () => 0)) this.#bare(writer, field);
      writer.join();
      return;
    }
    this.#value(writer, field, field.number, levels);
  }

  #isPackable(field: DescField | DescExtension): boolean {
    return (
      field.message === undefined &&
      field.scalar !== ScalarType.STRING &&
      field.scalar !== ScalarType.BYTES
    );
  }

  #value(writer: BinaryWriter, field: DescField | DescExtension, no: number, levels: number): void {
    if (field.message === undefined) {
      if (field.enum !== undefined)
        this.#varint(writer.tag(no, WireType.Varint), this.#enum(field));
      else this.#scalar(writer, no, field.scalar);
      return;
    }
    const isGroup = 'delimitedEncoding' in field && field.delimitedEncoding;
    if (isGroup) writer.tag(no, WireType.StartGroup);
    else writer.tag(no, WireType.LengthDelimited).fork();
    if (levels > 0) this.#fields(writer, field.message, levels - 1);
    if (isGroup) writer.tag(no, WireType.EndGroup);
    else writer.join();
  }

  #enum(field: DescField | DescExtension): bigint {
    if (this.dice.chance(0.2)) return BigInt(this.dice.pick([0, 1, 99, -3]));
    return BigInt(randomEnum(this.dice, field.enum!));
  }

  #scalar(writer: BinaryWriter, no: number, type: ScalarType): void {
    writer.tag(no, FORMS.get(type)?.wireType ?? WireType.Varint);
    this.#scalarValue(writer, type);
  }

  #bare(writer: BinaryWriter, field: DescField | DescExtension): void {
    if (field.enum !== undefined) this.#varint(writer, this.#enum(field));
    else this.#scalarValue(writer, field.scalar!);
  }

  #scalarValue(writer: BinaryWriter, type: ScalarType): void {
    const value = randomScalar(this.dice, type);
    // What is not text, too: whether it is refused depends on the field.
    if (type === ScalarType.STRING && this.dice.chance(0.03)) {
      writer.bytes(randomBytes(this.dice));
      return;
    }
    const form = FORMS.get(type);
    if (form === undefined) this.#varint(writer, BigInt(value as number | bigint | boolean));
    else form.write(writer, value as never);
  }

  /** Now and then of more bits than the type has, or of more bytes than it needs. */
  #varint(writer: BinaryWriter, value: bigint): void {
    const { dice } = this;
    let rest = BigInt.asUintN(64, dice.chance(0.05) ? dice.bits64() : value);
    const bytes: number[] = [];
    do {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    } while (rest > 0n);
    if (dice.chance(0.05)) while (bytes.length < dice.int(1, 10)) bytes.push(0x80);
    bytes.push(bytes.pop()! & 0x7f);
    writer.raw(new Uint8Array(bytes));
  }

  #unknown(writer: BinaryWriter, levels: number): void {
    const { dice } = this;
    const no = dice.int(30_000, 30_005);
    const wireType = dice.pick([0, 1, 2, 3, 5]);
    writer.tag(no, wireType);
    if (wireType === 0) this.#varint(writer, dice.bits64());
    else if (wireType === 1) writer.fixed64(dice.bits64());
    else if (wireType === 5) writer.fixed32(dice.int(0, 9));
    else if (wireType === 2) writer.bytes(randomBytes(dice));
    else {
      if (levels > 0) this.#unknown(writer, levels - 1);
      writer.tag(no, WireType.EndGroup);
    }
  }

  #damaged(bytes: Uint8Array): Uint8Array {
    const { dice } = this;
    const damaged = [...bytes];
    const at = dice.int(0, Math.max(0, bytes.length - 1));
    const roll = dice.int(0, 6);
    if (roll === 0) damaged.length = at;
    else if (roll === 1) damaged.splice(at, dice.int(1, 3));
    else if (roll === 2) damaged.splice(at, 0, dice.int(0, 255));
    else if (roll === 3) damaged.push(...randomBytes(dice));
    else if (roll === 4) damaged.splice(at, 0, ...damaged.slice(dice.int(0, at), at));
    else if (roll === 5 && bytes.length > 0) damaged[at]! ^= 1 << dice.int(0, 7);
    else if (bytes.length > 0) damaged[at] = dice.int(0, 255);
    return new Uint8Array(damaged);
  }
}

interface Form {
  readonly wireType: WireType;
  readonly write: (writer: BinaryWriter, value: never) => BinaryWriter;
}

/** Of all but plain varints. */
const FORMS: ReadonlyMap<ScalarType, Form> = new Map<ScalarType, Form>([
  [ScalarType.DOUBLE, { wireType: WireType.Bit64, write: (to, value) => to.double(value) }],
  [ScalarType.FIXED64, { wireType: WireType.Bit64, write: (to, value) => to.fixed64(value) }],
  [ScalarType.SFIXED64, { wireType: WireType.Bit64, write: (to, value) => to.sfixed64(value) }],
  [ScalarType.FLOAT, { wireType: WireType.Bit32, write: (to, value) => to.float(value) }],
  [ScalarType.FIXED32, { wireType: WireType.Bit32, write: (to, value) => to.fixed32(value) }],
  [ScalarType.SFIXED32, { wireType: WireType.Bit32, write: (to, value) => to.sfixed32(value) }],
  [ScalarType.SINT32, { wireType: WireType.Varint, write: (to, value) => to.sint32(value) }],
  [ScalarType.SINT64, { wireType: WireType.Varint, write: (to, value) => to.sint64(value) }],
  [
    ScalarType.STRING,
    { wireType: WireType.LengthDelimited, write: (to, value) => to.string(value) },
  ],
  [ScalarType.BYTES, { wireType: WireType.LengthDelimited, write: (to, value) => to.bytes(value) }],
]);
