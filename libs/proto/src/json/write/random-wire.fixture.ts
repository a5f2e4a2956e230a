import {
  type DescExtension,
  type DescField,
  type DescMessage,
  type Registry,
  ScalarType,
} from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { wireTypeOf } from '../../wire/wire-type.js';

const REQUIRED = FeatureSet_FieldPresence.LEGACY_REQUIRED;

type Field = DescField | DescExtension;

const TEXTS = ['', 'a', 'plain text', 'größe', '"quoted"\n', '\u0000\u001f', '日本語😀', '\ufeffb'];
const LONGS = [0n, 1n, -1n, 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n, 1_700_000_000_123_456_789n];
const INTS = [0, 1, -1, 7, 300, 2 ** 31 - 1, -(2 ** 31)];
const DOUBLES = [0, -0, 1.5, 0.1, 1e21, 1e-7, -12_345.678, 2 ** 31, NaN, Infinity, -Infinity];
const KEYS = ['1', '10', '2', '-3', '01', '4294967295', '__proto__', 'constructor'];
const URLS = ['Kinds', 'Written', 'Mark', 'Edited'].map((name) => `x/apix.testdata.${name}`);

/** Messages on the wire, as chance has them: the same seed gives the same ones. */
export class RandomWire {
  #state: number;

  constructor(
    private readonly registry: Registry,
    seed: number,
  ) {
    this.#state = seed;
  }

  /** A message; `tidy` has its fields in order and none twice, as encoders write it. */
  message(desc: DescMessage, tidy: boolean, depth = 0): Uint8Array {
    const writer = new BinaryWriter();
    this.#members(writer, desc, tidy, depth);
    return writer.finish();
  }

  /** The same with a few bytes changed, gone or added. */
  damaged(bytes: Uint8Array): Uint8Array {
    const damaged = [...bytes];
    const at = this.#upTo(damaged.length + 1);
    const added = Array.from({ length: this.#upTo(3) }, () => this.#upTo(256));
    damaged.splice(at, this.#upTo(3), ...added);
    return Uint8Array.from(damaged);
  }

  #members(writer: BinaryWriter, desc: DescMessage, tidy: boolean, depth: number): void {
    if (this.#wellKnown(writer, desc, tidy, depth)) return;
    const share = 0.3 / (depth * 2 + 1);
    let chosen: Field[] = desc.fields.filter(
      (field) => field.presence === REQUIRED || this.#chance() < share,
    );
    if (tidy) {
      const oneofs = new Set();
      chosen = chosen.filter(
        ({ oneof }) => oneof === undefined || (!oneofs.has(oneof) && oneofs.add(oneof)),
      );
      chosen.sort((a, b) => a.number - b.number);
    } else chosen.sort(() => this.#chance() - 0.5);
    if (!tidy && this.#chance() < 0.2) chosen.push(...chosen.slice(0, 2));
    if (this.#chance() < 0.05) chosen.push(...this.#extensionsOf(desc));
    for (const field of chosen) {
      if (this.#chance() < 0.05) writer.tag(4000, WireType.Varint).uint32(7);
      this.#field(writer, field, tidy, depth);
    }
  }

  /** Fills what has a meaning of its own with what means something, most of the time. */
  #wellKnown(writer: BinaryWriter, desc: DescMessage, tidy: boolean, depth: number): boolean {
    if (this.#chance() < 0.01) return false;
    switch (desc.typeName) {
      case 'google.protobuf.Timestamp':
        writer.tag(1, 0).int64(this.#upTo(300_000_000_000) - 60_000_000_000);
        writer.tag(2, 0).int32(this.#pick([0, 5_000_000, 1000, 999_999_999]));
        return true;
      case 'google.protobuf.Duration':
        writer.tag(1, 0).int64(this.#pick([0, 3, 315_576_000_000]));
        writer.tag(2, 0).int32(this.#pick([0, 5_000_000, 1000, 999_999_999]));
        return true;
      case 'google.protobuf.FieldMask':
        for (let i = this.#upTo(3); i > 0; i--)
          writer.tag(1, 2).string(this.#pick(['a_b', 'c', 'd.e']));
        return true;
      case 'google.protobuf.Any': {
        const typeUrl = this.#pick(URLS);
        const inner = this.registry.getMessage(typeUrl.slice(2))!;
        writer.tag(1, 2).string(typeUrl);
        writer.tag(2, 2).bytes(this.message(inner, tidy, depth + 1));
        return true;
      }
      case 'google.protobuf.Value': {
        const kind = this.#pick(depth < 5 ? desc.fields : desc.fields.slice(0, 4));
        this.#field(writer, kind, tidy, depth);
        return true;
      }
      default:
        return false;
    }
  }

  #field(writer: BinaryWriter, field: Field, tidy: boolean, depth: number): void {
    if (field.message !== undefined && depth > 4) return;
    if (field.fieldKind === 'map') {
      for (let i = this.#upTo(3); i > 0; i--) this.#entry(writer, field, tidy, depth);
    } else if (field.fieldKind === 'list') {
      this.#list(writer, field, tidy, depth);
    } else {
      this.#value(writer, field, field.number, tidy, depth);
    }
  }

  #list(writer: BinaryWriter, field: Field, tidy: boolean, depth: number): void {
    const isText = field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES;
    if (field.message !== undefined || isText || this.#chance() < 0.3) {
      for (let i = this.#upTo(4); i > 0; i--) this.#value(writer, field, field.number, tidy, depth);
      return;
    }
    writer.tag(field.number, WireType.LengthDelimited).fork();
    for (let i = this.#upTo(4); i > 0; i--) this.#scalar(writer, field.scalar ?? ScalarType.INT32);
    writer.join();
  }

  #entry(
    writer: BinaryWriter,
    field: Field & { fieldKind: 'map' },
    tidy: boolean,
    depth: number,
  ): void {
    writer.tag(field.number, WireType.LengthDelimited).fork();
    if (tidy || this.#chance() < 0.9) {
      writer.tag(1, wireTypeOf(field.mapKey));
      if (field.mapKey === ScalarType.STRING) writer.string(this.#pick([...KEYS, ...TEXTS]));
      else this.#scalar(writer, field.mapKey);
    }
    if (tidy || this.#chance() < 0.9) this.#value(writer, field, 2, tidy, depth);
    writer.join();
  }

  #value(writer: BinaryWriter, field: Field, number: number, tidy: boolean, depth: number): void {
    if (field.message === undefined) {
      const type = field.scalar ?? ScalarType.INT32;
      writer.tag(number, wireTypeOf(type));
      if (field.enum === undefined) this.#scalar(writer, type);
      else writer.int32(this.#chance() < 0.98 ? this.#pick(field.enum.values).number : 99);
      return;
    }
    if ('delimitedEncoding' in field && field.delimitedEncoding) {
      writer.tag(number, WireType.StartGroup);
      this.#members(writer, field.message, tidy, depth + 1);
      writer.tag(number, WireType.EndGroup);
      return;
    }
    writer.tag(number, WireType.LengthDelimited).fork();
    this.#members(writer, field.message, tidy, depth + 1);
    writer.join();
  }

  #scalar(writer: BinaryWriter, type: ScalarType): void {
    const long = this.#pick(LONGS);
    const int = this.#pick(INTS);
    const double = this.#pick(DOUBLES);
    switch (type) {
      case ScalarType.STRING:
        return void (this.#chance() < 0.003
          ? writer.bytes(Uint8Array.of(0x61, 0xff))
          : writer.string(this.#pick(TEXTS).repeat(this.#pick([1, 1, 1, 20]))));
      case ScalarType.BYTES:
        return void writer.bytes(
          Uint8Array.from({ length: this.#pick([0, 1, 2, 3, 400]) }, (_, i) => i),
        );
      case ScalarType.BOOL:
        return void writer.bool(this.#chance() < 0.5);
      case ScalarType.DOUBLE:
        return void writer.double(double);
      case ScalarType.FLOAT:
        return void writer.float(Math.fround(double));
      case ScalarType.INT32:
        return void writer.int32(int);
      case ScalarType.SINT32:
        return void writer.sint32(int);
      case ScalarType.SFIXED32:
        return void writer.sfixed32(int);
      case ScalarType.UINT32:
        return void writer.uint32(int >>> 0);
      case ScalarType.FIXED32:
        return void writer.fixed32(int >>> 0);
      case ScalarType.INT64:
        return void writer.int64(long);
      case ScalarType.SINT64:
        return void writer.sint64(long);
      case ScalarType.SFIXED64:
        return void writer.sfixed64(long);
      case ScalarType.UINT64:
        return void writer.uint64(BigInt.asUintN(64, long));
      case ScalarType.FIXED64:
        return void writer.fixed64(BigInt.asUintN(64, long));
    }
  }

  #extensionsOf(desc: DescMessage): readonly DescExtension[] {
    return [...this.registry].filter(
      (type): type is DescExtension =>
        type.kind === 'extension' &&
        type.extendee.typeName === desc.typeName &&
        this.#chance() < 0.4,
    );
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#upTo(values.length)]!;
  }

  /** An integer from 0 to below the limit. */
  #upTo(limit: number): number {
    return Math.floor(this.#chance() * limit);
  }

  /** From 0 to below 1, by the generator mulberry32. */
  #chance(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
