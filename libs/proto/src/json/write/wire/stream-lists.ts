import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { WireSource } from '../../../wire/wire-source.js';
import { COMMA, closeArray, writeFragment } from '../fragments.js';
import type { StreamPacked } from './stream-packed.js';
import { type StreamField, type StreamValue, nextTag, takeTag } from './stream.js';

/** Chunks that hold several elements. */
export interface PackedForm {
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
  const outer = source.end;
  source.end = source.lengthEnd();
  packed(source, sink, depth);
  source.end = outer;
}
