import { randomBytes } from 'node:crypto';
import {
  END_HEADERS as OPEN,
  FRAME,
  PREFACE,
  frame as h2Frame,
} from '../../../tools/testing/http2-frames.js';
import { frame } from '../grpc-call.js';
import { closedWithin, isCounted, porchHeaders, rawHttp2 } from '../raw-http2.js';
import { rawSocket } from '../raw-socket.js';
import type { Attack } from '../row.js';
import { FLOODS } from './flood-kinds.js';

const MB = 2 ** 20;
const LIMITS = { bytes: 32 * MB, ms: 4_000 } as const;
const BATCH = 1_000;

/** Pours frames into one connection, for four seconds or until it is closed. */
export const flood =
  (kind: string): Attack =>
  async (site, door) => {
    const raw = await rawHttp2(site, door);
    const call = porchHeaders(door);
    let index = 0;
    const end = performance.now() + LIMITS.ms;
    for (let sent = 0; !raw.isClosed() && sent < LIMITS.bytes && performance.now() < end;) {
      const batch = Buffer.concat(
        Array.from({ length: BATCH }, () => FLOODS[kind]!(index++, call)).flat(),
      );
      sent += await raw.pour(batch, { bytes: batch.length, ms: 1_000 });
    }
    const isOurs = isCounted(site, door);
    if (await closedWithin(raw, isOurs ? LIMITS.ms : 0)) return 'closed';
    return isOurs ? `borne after ${index}, though it is counted` : 'borne';
  };

/** Headers that never end. */
export const continuations: Attack = async (site, door) => {
  const raw = await rawHttp2(site, door);
  raw.socket.write(h2Frame(FRAME.headers, 0, 1, porchHeaders(door)));
  const name = Buffer.concat([Buffer.from([0, 2]), Buffer.from('x-'), Buffer.from([100])]);
  const header = Buffer.concat([name, Buffer.alloc(100, 'x')]);
  const payload = Buffer.concat(Array.from({ length: 100 }, () => header));
  const sent = await raw.pour(h2Frame(FRAME.continuation, 0, 1, payload), LIMITS);
  return (await closedWithin(raw, 1_000)) ? 'closed' : `open after ${sent} bytes`;
};

/** What nobody can read as HTTP/2. */
export const garbage: Attack = async (site, door) => {
  const raw = await rawSocket(site.portOf(door));
  raw.socket.write(Buffer.concat([PREFACE, randomBytes(4_096)]));
  return (await closedWithin(raw, 3_000)) ? 'closed' : 'open';
};

/** Says goodbye, and goes on with a body. */
export const dataAfterGoAway: Attack = async (site, door) => {
  const raw = await rawHttp2(site, door);
  raw.socket.write(h2Frame(FRAME.headers, OPEN, 1, porchHeaders(door)));
  raw.socket.write(h2Frame(FRAME.goaway, 0, 0, Buffer.alloc(8)));
  await raw.pour(h2Frame(FRAME.data, 0, 1, Buffer.alloc(16_384)), { bytes: 8 * MB, ms: 2_000 });
  raw.socket.destroy();
  return 'done';
};

const STREAMS = 200;
const EACH = 5 * 1_024;

/** 1 MiB of messages on 200 streams, a byte a frame. */
export const oneByteFrames: Attack = async (site, door) => {
  const raw = await rawHttp2(site, door);
  for (let stream = 0; stream < STREAMS; stream++) {
    raw.socket.write(h2Frame(FRAME.headers, OPEN, stream * 2 + 1, porchHeaders(door)));
    raw.socket.write(
      h2Frame(FRAME.data, 0, stream * 2 + 1, frame(new Uint8Array(), 0, 2 * EACH).subarray(0, 5)),
    );
  }
  const byte = Buffer.from([0]);
  const round = Buffer.concat(
    Array.from({ length: STREAMS }, (_, stream) => h2Frame(FRAME.data, 0, stream * 2 + 1, byte)),
  );
  await raw.pour(round, { bytes: EACH * round.length, ms: 6_000 });
  raw.socket.destroy();
  return 'done';
};
