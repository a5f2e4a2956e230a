import { ScalarType } from '@bufbuild/protobuf';
import type { ScalarValue } from '../../values/scalar-value.js';
import type { WireSource } from '../wire-source.js';

/** Reads one value, without its tag. */
export type ScalarReader = (source: WireSource) => ScalarValue;

interface TextOptions {
  /** Whether a text must be UTF-8; otherwise invalid bytes become U+FFFD. */
  readonly utf8Validation: boolean;
  /** Whether 64-bit integers are kept as texts. */
  readonly longAsString?: boolean;
}

/** Reads values of a scalar type. */
export function scalarReader(type: ScalarType, options: TextOptions): ScalarReader {
  const { utf8Validation, longAsString = false } = options;
  if (type === ScalarType.STRING) return (source) => source.string(utf8Validation);
  const long = LONG_READERS[type];
  if (long === undefined) return READERS[type]!;
  return longAsString ? (source) => String(long(source)) : long;
}

const READERS: Partial<Readonly<Record<ScalarType, ScalarReader>>> = {
  [ScalarType.DOUBLE]: (source) => source.double(),
  [ScalarType.FLOAT]: (source) => source.float(),
  [ScalarType.INT32]: (source) => source.int32(),
  [ScalarType.UINT32]: (source) => source.varint32(),
  [ScalarType.SINT32]: (source) => source.sint32(),
  [ScalarType.FIXED32]: (source) => source.fixed32(),
  [ScalarType.SFIXED32]: (source) => source.sfixed32(),
  [ScalarType.BOOL]: (source) => source.bool(),
  [ScalarType.BYTES]: (source) => source.lengthBytes(),
};

const LONG_READERS: Partial<Readonly<Record<ScalarType, (source: WireSource) => bigint>>> = {
  [ScalarType.INT64]: (source) => source.int64(),
  [ScalarType.UINT64]: (source) => source.uint64(),
  [ScalarType.SINT64]: (source) => source.sint64(),
  [ScalarType.FIXED64]: (source) => source.ufixed64(),
  [ScalarType.SFIXED64]: (source) => source.sfixed64(),
};

/** Reads values that follow one another without tags, as far as the source goes. */
export type PackedReader = (source: WireSource, items: unknown[]) => void;

/** Reads packed values; `read` reads one of them. */
export function packedReader(type: ScalarType, read: ScalarReader): PackedReader {
  return (
    PACKED[type] ??
    ((source, items) => {
      while (source.at < source.end) items.push(read(source));
    })
  );
}

/** The frequent ones have a loop of their own, which has its reader inside and not a call to it. */
const PACKED: Partial<Readonly<Record<ScalarType, PackedReader>>> = {
  [ScalarType.INT32]: (source, items) => {
    while (source.at < source.end) items.push(source.int32());
  },
  [ScalarType.UINT32]: (source, items) => {
    while (source.at < source.end) items.push(source.varint32());
  },
  [ScalarType.SINT32]: (source, items) => {
    while (source.at < source.end) items.push(source.sint32());
  },
  [ScalarType.DOUBLE]: (source, items) => {
    while (source.at < source.end) items.push(source.double());
  },
  [ScalarType.FLOAT]: (source, items) => {
    while (source.at < source.end) items.push(source.float());
  },
};
