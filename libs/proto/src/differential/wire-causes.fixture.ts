import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** What is wrong with a message on the wire, of which protobuf-es takes no notice. */
export type WireCause = 'overrun' | 'wire type' | 'long varint';

const FIXED_64 = new Set([ScalarType.DOUBLE, ScalarType.FIXED64, ScalarType.SFIXED64]);
const FIXED_32 = new Set([ScalarType.FLOAT, ScalarType.FIXED32, ScalarType.SFIXED32]);

/** Walks through a message until it finds something wrong or loses its way. */
export function wireCauseIn(desc: DescMessage, wire: Uint8Array): WireCause | undefined {
  try {
    return new Walk(wire).message(desc, wire.length, undefined);
  } catch {
    // No tag, or a length of more than ten bytes: both sides notice that.
    return undefined;
  }
}

const LONGEST_VARINT = 10;

/** Each method goes past what it looks at, and no further than what holds it ends. */
class Walk {
  readonly #reader: BinaryReader;

  constructor(private readonly wire: Uint8Array) {
    this.#reader = new BinaryReader(wire);
  }

  /** @param group the number of the field, for a message that an end of its own ends. */
  message(desc: DescMessage, end: number, group: number | undefined): WireCause | undefined {
    const reader = this.#reader;
    while (reader.pos < end) {
      const [no, wireType] = reader.tag();
      if (reader.pos > end) return 'overrun';
      if (wireType === WireType.EndGroup && no === group) return undefined;
      const field = desc.fields.find(({ number }) => number === no);
      const cause =
        field === undefined ? this.#unknown(no, wireType, end) : this.#field(field, wireType, end);
      if (cause !== undefined) return cause;
    }
    return group === undefined ? undefined : 'overrun';
  }

  #unknown(no: number, wireType: WireType, end: number): WireCause | undefined {
    const reader = this.#reader;
    switch (wireType) {
      case WireType.StartGroup:
        return this.#group(end);
      case WireType.LengthDelimited: {
        const to = this.#endOfLength();
        if (to > end) return 'overrun';
        reader.pos = to;
        return undefined;
      }
      case WireType.Varint:
        return this.#varint(end);
      case WireType.Bit64:
      case WireType.Bit32:
      case WireType.EndGroup:
        reader.skip(wireType, no);
        return reader.pos > end ? 'overrun' : undefined;
    }
  }

  /** One that no one knows. */
  #group(end: number): WireCause | undefined {
    const reader = this.#reader;
    while (reader.pos < end) {
      const [no, wireType] = reader.tag();
      if (reader.pos > end) return 'overrun';
      if (wireType === WireType.EndGroup) return undefined;
      const cause = this.#unknown(no, wireType, end);
      if (cause !== undefined) return cause;
    }
    return 'overrun';
  }

  /** What is too long is so within its message, or the message is too short for the varint. */
  #varint(end: number): WireCause | undefined {
    const reader = this.#reader;
    for (let count = 1; count <= LONGEST_VARINT; count++) {
      if (reader.pos >= end) return 'overrun';
      if (this.wire[reader.pos++]! < 0x80) return undefined;
    }
    return 'long varint';
  }

  /** protobuf-es takes only the low 32 bits of a length. */
  #endOfLength(): number {
    const length = Number(this.#reader.uint64());
    return this.#reader.pos + length;
  }

  #field(field: DescField, wireType: WireType, end: number): WireCause | undefined {
    const reader = this.#reader;
    const wanted = wireTypeOf(field);
    const isPacked = field.fieldKind === 'list' && wireType === WireType.LengthDelimited;
    if (wireType !== wanted && !(isPacked && field.message === undefined)) return 'wire type';
    if (wireType === WireType.StartGroup) return this.message(field.message!, end, field.number);
    if (wireType !== WireType.LengthDelimited) return this.#unknown(field.number, wireType, end);
    const to = this.#endOfLength();
    if (to > end) return 'overrun';
    if (field.fieldKind === 'map') return this.#entry(field, to);
    if (field.message !== undefined) return this.message(field.message, to, undefined);
    while (wanted !== WireType.LengthDelimited && reader.pos < to) {
      const cause = this.#unknown(field.number, wanted, to);
      if (cause !== undefined) return cause;
    }
    reader.pos = to;
    return undefined;
  }

  #entry(field: DescField & { fieldKind: 'map' }, end: number): WireCause | undefined {
    const reader = this.#reader;
    while (reader.pos < end) {
      const [no, wireType] = reader.tag();
      if (reader.pos > end) return 'overrun';
      const wanted = no === 1 ? wireTypeOfScalar(field.mapKey) : valueType(field);
      if (no <= 2 && wireType !== wanted) return 'wire type';
      const isMessage = no === 2 && field.message !== undefined;
      const to = isMessage ? this.#endOfLength() : end;
      if (to > end) return 'overrun';
      const cause = isMessage
        ? this.message(field.message, to, undefined)
        : this.#unknown(no, wireType, end);
      if (cause !== undefined) return cause;
    }
    return undefined;
  }
}

function wireTypeOf(field: DescField): WireType {
  if (field.fieldKind === 'map') return WireType.LengthDelimited;
  if (field.message !== undefined && 'delimitedEncoding' in field && field.delimitedEncoding) {
    return WireType.StartGroup;
  }
  return valueType(field);
}

function valueType(field: DescField): WireType {
  if (field.message !== undefined) return WireType.LengthDelimited;
  return field.scalar === undefined ? WireType.Varint : wireTypeOfScalar(field.scalar);
}

function wireTypeOfScalar(type: ScalarType): WireType {
  if (FIXED_64.has(type)) return WireType.Bit64;
  if (FIXED_32.has(type)) return WireType.Bit32;
  return type === ScalarType.STRING || type === ScalarType.BYTES
    ? WireType.LengthDelimited
    : WireType.Varint;
}
