import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { WireSource } from '../../../wire/wire-source.js';
import { COMMA, closeArray, writeFragment } from '../fragments.js';
import { type StreamField, type StreamValue, nextTag, takeTag } from './stream.js';

/**
 * Reads the elements of a list that follow one another.
 *
 * @param packedTag of a chunk that holds several elements; 0 where a list has none.
 */
export function streamList(
  tag: number,
  packedTag: number,
  value: StreamValue,
  isEager: boolean,
): StreamField {
  return (source, sink, key, depth, firstTag) => {
    const before = sink.at;
    writeFragment(sink, key);
    const start = sink.at;
    let next = firstTag;
    for (;;) {
      if (next === tag) value(source, sink, COMMA, depth, false);
      else streamPacked(source, sink, value, depth);
      next = nextTag(source);
      if (next === 0 || (next !== tag && next !== packedTag)) break;
      takeTag(source);
    }
    if (sink.at === start && !isEager) sink.at = before;
    else closeArray(sink, start);
  };
}

function streamPacked(source: WireSource, sink: ByteSink, value: StreamValue, depth: number): void {
  const outer = source.end;
  const end = source.lengthEnd();
  source.end = end;
  while (source.at < end) value(source, sink, COMMA, depth, false);
  source.end = outer;
}
