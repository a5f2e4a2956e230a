import type { HeaderEncoder } from '../hpack/header-encoder.js';
import { FLAG, FRAME, HEAD_BYTES, MAX_PAYLOAD_BYTES, writeHead } from './frames.js';

/** The frames of a header block: HEADERS, and CONTINUATION for what does not fit in. */
export function headerFrames(
  encoder: HeaderEncoder,
  stream: number,
  headers: readonly string[],
  endsStream = false,
): Buffer {
  const bytes = encoder.encode(headers, HEAD_BYTES);
  const length = bytes.length - HEAD_BYTES;
  const end = endsStream ? FLAG.endStream : 0;
  if (length <= MAX_PAYLOAD_BYTES) {
    return writeHead(bytes, length, FRAME.headers, FLAG.endHeaders | end, stream);
  }
  const parts: Buffer[] = [];
  for (let at = HEAD_BYTES; at < bytes.length; at += MAX_PAYLOAD_BYTES) {
    const part = bytes.subarray(at, at + MAX_PAYLOAD_BYTES);
    const isFirst = at === HEAD_BYTES;
    const type = isFirst ? FRAME.headers : FRAME.continuation;
    const isLast = at + MAX_PAYLOAD_BYTES >= bytes.length;
    const flags = (isFirst ? end : 0) | (isLast ? FLAG.endHeaders : 0);
    parts.push(writeHead(Buffer.alloc(HEAD_BYTES), part.length, type, flags, stream), part);
  }
  return Buffer.concat(parts);
}
