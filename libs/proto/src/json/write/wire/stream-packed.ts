import { ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { WireSource } from '../../../wire/wire-source.js';
import { COMMA } from '../fragments.js';
import { MANY_DOUBLES } from '../number-lists.js';
import { writeDoubles } from '../numbers.js';
import type { StreamValue } from './stream.js';

/** Writes packed values as far as the source goes, each with a comma before it. */
export type StreamPacked = (source: WireSource, sink: ByteSink, depth: number) => void;

/** Writes packed values of a scalar type, or of an enum; `value` writes one of them. */
export function streamPacked(type: ScalarType | undefined, value: StreamValue): StreamPacked {
  const oneByOne: StreamPacked = (source, sink, depth) => {
    while (source.at < source.end) value(source, sink, COMMA, depth, false);
  };
  if (type !== ScalarType.DOUBLE && type !== ScalarType.FLOAT) return oneByOne;
  const bytesOfOne = type === ScalarType.DOUBLE ? 8 : 4;
  return (source, sink, depth) => {
    const { at, end } = source;
    if (end - at >= MANY_DOUBLES * bytesOfOne) {
      const numbers: number[] = [];
      while (source.at < end) {
        const number = type === ScalarType.DOUBLE ? source.double() : source.float();
        if (!Number.isFinite(number)) break;
        numbers.push(number);
      }
      if (numbers.length * bytesOfOne === end - at) {
        writeDoubles(sink, numbers);
        return;
      }
      source.at = at;
    }
    oneByOne(source, sink, depth);
  };
}
