import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** What is wrong with a message on the wire, of which protobuf-es takes no notice. */
export type WireCause = 'overrun' | 'wire type' | 'long varint';

const FIXED_64 = new Set([ScalarType.DOUBLE, ScalarType.FIXED64, ScalarType.SFIXED64]);
const FIXED_32 = new Set([ScalarType.FLOAT, ScalarType.FIXED32, ScalarType.SFIXED32]);

/** Walks through a message until it finds something wrong or loses its way. */
export function wireCauseIn(desc: DescMessage, wire: Uint8Array): WireCause | undefined {
  const reader = new BinaryReader(wire);
  try {
    return causeIn(desc, reader, wire.length, undefined);
  } catch {
    // Beyond the end of all: both sides notice that.
    return undefined;
  }
}

function causeIn(
  desc: DescMessage,
  reader: BinaryReader,
  end: number,
  group: number | undefined,
): WireCause | undefined {
  while (reader.pos < end) {
    const [no, wireType] = reader.tag();
    if (wireType === WireType.EndGroup && no === group)
      return reader.pos > end ? 'overrun' : undefined;
    const field = desc.fields.find(({ number }) => number === no);
    const cause =
      field === undefined
        ? skipped(reader, no, wireType)
        : causeInField(field, reader, wireType, end);
    if (cause !== undefined) return cause;
    if (reader.pos > end) return 'overrun';
  }
  return undefined;
}

/** Of a group, only what is inside it shows. */
function skipped(reader: BinaryReader, no: number, wireType: WireType): WireCause | undefined {
  if (wireType === WireType.StartGroup) {
    for (;;) {
      const [inner, innerType] = reader.tag();
      if (innerType === WireType.EndGroup) return undefined;
      const cause = skipped(reader, inner, innerType);
      if (cause !== undefined) return cause;
    }
  }
  if (wireType === WireType.LengthDelimited) {
    const to = endOf(reader);
    if (to > reader.len) return 'overrun';
    reader.pos = to;
    return undefined;
  }
  const from = reader.pos;
  reader.skip(wireType, no);
  return wireType === WireType.Varint && reader.pos - from > 10 ? 'long varint' : undefined;
}

/** protobuf-es takes only the low 32 bits of a length. */
function endOf(reader: BinaryReader): number {
  const length = Number(reader.uint64());
  return reader.pos + length;
}

function causeInField(
  field: DescField,
  reader: BinaryReader,
  wireType: WireType,
  end: number,
): WireCause | undefined {
  const wanted = wireTypeOf(field);
  const isPacked = field.fieldKind === 'list' && wireType === WireType.LengthDelimited;
  if (wireType !== wanted && !(isPacked && field.message === undefined)) return 'wire type';
  if (wireType === WireType.StartGroup) return causeIn(field.message!, reader, end, field.number);
  if (wireType !== WireType.LengthDelimited) return skipped(reader, field.number, wireType);
  const to = endOf(reader);
  if (to > end) return 'overrun';
  if (field.fieldKind === 'map') {
    const cause = causeInEntry(field, reader, to);
    if (cause !== undefined) return cause;
  } else if (field.message !== undefined) {
    const cause = causeIn(field.message, reader, to, undefined);
    if (cause !== undefined) return cause;
  } else if (wanted !== WireType.LengthDelimited) {
    while (reader.pos < to) reader.skip(wanted, field.number);
    if (reader.pos > to) return 'overrun';
  }
  reader.pos = to;
  return undefined;
}

function causeInEntry(
  field: DescField & { fieldKind: 'map' },
  reader: BinaryReader,
  end: number,
): WireCause | undefined {
  while (reader.pos < end) {
    const [no, wireType] = reader.tag();
    const wanted = no === 1 ? wireTypeOfScalar(field.mapKey) : valueType(field);
    if (no <= 2 && wireType !== wanted) return 'wire type';
    if (no === 2 && field.message !== undefined) {
      const to = endOf(reader);
      if (to > end) return 'overrun';
      const cause = causeIn(field.message, reader, to, undefined);
      if (cause !== undefined) return cause;
    } else {
      const cause = skipped(reader, no, wireType);
      if (cause !== undefined) return cause;
    }
    if (reader.pos > end) return 'overrun';
  }
  return undefined;
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
