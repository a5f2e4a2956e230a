import { ScalarType } from '@bufbuild/protobuf';
import type { WireSource } from '../wire-source.js';
import type { ScalarReader } from './scalar-reader.js';

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
