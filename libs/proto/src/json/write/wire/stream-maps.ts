import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { WireSource } from '../../../wire/wire-source.js';
import { isArrayIndex, writeMapKey } from '../keys.js';
import { type JsonFragment, NOTHING, closeObject, writeFragment } from '../fragments.js';
import type { ScalarReader } from '../../../wire/read/scalar-reader.js';
import { type StreamField, type StreamValue, nextTag, stopStreaming, takeTag } from './stream.js';

export interface MapEntries {
  readonly keyTag: number;
  readonly readKey: ScalarReader;
  /** The key of an entry that has none. */
  readonly zeroKey: string;
  readonly valueTag: number;
  readonly value: StreamValue;
  /** The value of an entry that has none; undefined if only a message can show it. */
  readonly zeroValue: JsonFragment | undefined;
}

/** Reads the entries of a map that follow one another; the same key twice does not stream. */
export function streamMap(tag: number, map: MapEntries): StreamField {
  return (source, sink, key, depth) => {
    writeFragment(sink, key);
    const start = sink.at;
    const written = new WrittenEntries();
    for (;;) {
      const outer = source.enter();
      const from = sink.at;
      written.add(streamEntry(source, sink, map, depth), from);
      source.end = outer;
      if (nextTag(source) !== tag) break;
      takeTag(source);
    }
    written.sort(sink);
    closeObject(sink, start);
  };
}

function streamEntry(source: WireSource, sink: ByteSink, map: MapEntries, depth: number): string {
  let key = map.zeroKey;
  if (nextTag(source) === map.keyTag) {
    takeTag(source);
    key = String(map.readKey(source));
  }
  writeMapKey(sink, key);
  if (nextTag(source) === map.valueTag) {
    takeTag(source);
    map.value(source, sink, NOTHING, depth, false);
  } else if (map.zeroValue === undefined) {
    stopStreaming();
  } else {
    writeFragment(sink, map.zeroValue);
  }
  return source.at === source.end ? key : stopStreaming();
}

/** A message has the keys that look like an index first, in order of their value. */
class WrittenEntries {
  readonly #starts = new Map<string, number>();
  #lastIndex = -1;
  #hasOthers = false;
  #isSorted = true;

  add(key: string, start: number): void {
    const { size } = this.#starts;
    this.#starts.set(key, start);
    if (this.#starts.size === size) stopStreaming();
    if (!isArrayIndex(key)) {
      this.#hasOthers = true;
      return;
    }
    const index = Number(key);
    if (this.#hasOthers || index < this.#lastIndex) this.#isSorted = false;
    this.#lastIndex = index;
  }

  sort(sink: ByteSink): void {
    if (this.#isSorted) return;
    const keys = [...this.#starts.keys()];
    const starts = [...this.#starts.values(), sink.at];
    const parts = keys.map((key, i) => ({
      rank: isArrayIndex(key) ? Number(key) : 2 ** 32,
      bytes: Uint8Array.prototype.slice.call(sink.bytes, starts[i], starts[i + 1]),
    }));
    sink.at = starts[0]!;
    for (const { bytes } of parts.toSorted((a, b) => a.rank - b.rank)) sink.append(bytes);
  }
}
