import type { ByteSink } from '../../bytes/byte-sink.js';

/** Writes a tag; 0 means no tag. */
export function writeTag(sink: ByteSink, tag: number): void {
  if (tag > 0x7f) sink.varint32(tag);
  else if (tag !== 0) {
    sink.reserve(1);
    sink.bytes[sink.at++] = tag;
  }
}
