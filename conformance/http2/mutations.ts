import { END_HEADERS, END_STREAM, FRAME } from '../../tools/testing/http2-frames.js';
import type { Random } from '../random.js';
import { PADDED, PRIORITY, PUSH_PROMISE, type SentFrame } from './conversation.js';

/** Changes a frame, or the frames. */
export type Mutation = (frames: SentFrame[], at: number, random: Random) => void;

const replace =
  (change: (it: SentFrame, random: Random) => Partial<SentFrame>): Mutation =>
  (frames, at, random) => {
    const it = frames[at]!;
    frames[at] = { ...it, ...change(it, random) };
  };

const insert =
  (make: (it: SentFrame, random: Random) => SentFrame): Mutation =>
  (frames, at, random) =>
    void frames.splice(at + 1, 0, make(frames[at]!, random));

const EDGES = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 65_535, 16_383, 2 ** 24];

function wordOf(random: Random): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(random.pick(EDGES));
  return bytes;
}

/** Few of them leave a sequence as it should be. */
export const MUTATIONS: readonly Mutation[] = [
  replace(({ payload }, random) => ({
    payload: payload.subarray(0, random.below(payload.length + 1)),
  })),
  replace(({ payload }, random) => ({
    payload: Buffer.concat([payload, random.bytes(1 + random.below(6))]),
  })),
  replace(({ payload }, random) => {
    const copy = Buffer.from(payload);
    if (copy.length > 0) copy[random.below(copy.length)] = random.below(256);
    return { payload: copy };
  }),
  replace(({ payload }, random) => {
    const copy = Buffer.from(payload);
    if (copy.length > 0) copy[random.below(Math.min(4, copy.length))]! ^= 1 << random.below(8);
    return { payload: copy };
  }),
  replace(({ payload }, random) => ({ payload: random.bytes(payload.length) })),
  replace((_, random) => ({ payload: random.bytes(random.below(40)) })),
  replace((_, random) => ({ type: random.below(12) })),
  replace(({ flags }, random) => ({ flags: flags ^ (1 << random.below(8)) })),
  replace((_, random) => ({ flags: random.below(256) })),
  replace((_, random) => ({ stream: random.below(12) })),
  replace(({ stream }) => ({ stream: stream + 2 ** 31 })),
  replace((_, random) => ({ stream: random.pick([0, 2 ** 31 - 1, 2 ** 31 - 2]) })),
  replace(({ stream }) => ({ stream: stream + 2 })),
  replace(() => ({ payload: Buffer.alloc(16_385) })),
  replace(({ flags }) => ({ flags: flags | PADDED })),
  replace(({ flags }) => ({ flags: flags & ~END_HEADERS })),
  replace(({ flags }) => ({ flags: flags | END_STREAM })),
  (frames, at) => void frames.splice(at, 0, frames[at]!),
  (frames, at) => void frames.splice(at, 1),
  (frames, at) => void frames.splice(at, 0, ...frames.splice(at + 1, 1)),
  (frames, at, random) => void frames.push(...frames.splice(at, 1 + random.below(2))),
  insert((_, random) => ({
    type: random.below(11),
    flags: random.below(256),
    stream: random.below(9),
    payload: random.bytes(random.below(30)),
  })),
  insert(({ stream }, random) => ({
    type: FRAME.windowUpdate,
    flags: 0,
    stream: random.pick([0, stream]),
    payload: wordOf(random),
  })),
  insert((_, random) => ({
    type: FRAME.settings,
    flags: 0,
    stream: 0,
    payload: Buffer.concat([Buffer.of(0, 1 + random.below(8)), wordOf(random)]),
  })),
  insert(({ stream }, random) => ({
    type: FRAME.rstStream,
    flags: 0,
    stream,
    payload: wordOf(random),
  })),
  insert(({ stream }) => ({
    type: FRAME.data,
    flags: END_STREAM,
    stream,
    payload: Buffer.from('x'),
  })),
  insert(({ stream }, random) => ({
    type: PUSH_PROMISE,
    flags: END_HEADERS,
    stream,
    payload: random.bytes(5),
  })),
  insert(({ stream }) => ({
    type: FRAME.continuation,
    flags: END_HEADERS,
    stream,
    payload: Buffer.alloc(0),
  })),
  insert(({ stream }) => ({
    type: PRIORITY,
    flags: 0,
    stream,
    payload: Buffer.from([0, 0, 0, stream, 1]),
  })),
  insert(({ stream }) => ({
    type: FRAME.headers,
    flags: 5,
    stream,
    payload: Buffer.from([0x82, 0x86, 0x84]),
  })),
];
