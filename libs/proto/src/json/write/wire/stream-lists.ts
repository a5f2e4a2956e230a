import { ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { WireSource } from '../../../wire/wire-source.js';
import { COMMA, closeArray, writeFragment } from '../fragments.js';
import { MANY_DOUBLES, writeDoubles } from '../numbers.js';
import { type StreamField, type StreamValue, nextTag, takeTag } from './stream.js';

/** Chunks that hold several elements. */
interface PackedForm {
  readonly tag: number;
  readonly write: StreamPacked;
}

/** Reads the elements of a list that follow one another. */
export function streamList(
  tag: number,
  value: StreamValue,
  isEager: boolean,
  packed?: PackedForm,
): StreamField {
  const packedTag = packed?.tag ?? tag;
  return (source, sink, key, depth, firstTag) => {
    const before = sink.at;
    writeFragment(sink, key);
    const start = sink.at;
    let next = firstTag;
    for (;;) {
      if (packed === undefined || next === tag) value(source, sink, COMMA, depth, false);
      else streamChunk(source, sink, packed.write, depth);
      next = nextTag(source);
      if (next === 0 || (next !== tag && next !== packedTag)) break;
      takeTag(source);
    }
    if (sink.at === start && !isEager) sink.at = before;
    else closeArray(sink, start);
  };
}

function streamChunk(
  source: WireSource,
  sink: ByteSink,
  packed: StreamPacked,
  depth: number,
): void {
  const outer = source.enter();
  packed(source, sink, depth);
  source.end = outer;
}

/** Writes packed values as far as the source goes, each with a comma before it. */
type StreamPacked = (source: WireSource, sink: ByteSink, depth: number) => void;

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
