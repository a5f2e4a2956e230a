import { PREFACE, frame } from '../../tools/testing/http2-frames.js';
import { Random } from '../random.js';
import { Conversation, type SentFrame } from './conversation.js';
import { MUTATIONS } from './mutations.js';

/** What a client sends, the first part before any answer and the second one after those. */
export interface Sequence {
  readonly first: readonly Buffer[];
  readonly second: readonly Buffer[];
}

/** @param nth of the sequences of a seed. */
export function makeSequence(seed: number, nth: number): Sequence {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(nth + 1, 0x85ebca6b));
  const talk = new Conversation(random);
  talk.moves(1 + random.below(10));
  const first = talk.take();
  talk.moves(random.below(6));
  const second = talk.take();
  for (let left = random.pick([0, 1, 1, 1, 2]); left > 0; left -= 1) {
    const part = second.length > 0 && random.below(3) === 0 ? second : first;
    if (part.length > 0) random.pick(MUTATIONS)(part, random.below(part.length), random);
  }
  const preface = random.below(200) === 0 ? mangled(random) : PREFACE;
  return {
    first: chunks(Buffer.concat([preface, ...first.map(bytesOf)]), random),
    second: chunks(Buffer.concat(second.map(bytesOf)), random),
  };
}

function mangled(random: Random): Buffer {
  const bytes = Buffer.from(PREFACE);
  bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

function bytesOf({ type, flags, stream, payload }: SentFrame): Buffer {
  return frame(type, flags, stream % 2 ** 32, payload);
}

/** As the network may cut it. */
function chunks(bytes: Buffer, random: Random): Buffer[] {
  const parts: Buffer[] = [];
  const way = random.below(10);
  if (way > 2) return bytes.length === 0 ? [] : [bytes];
  for (let at = 0; at < bytes.length;) {
    const size = way === 0 && bytes.length < 2_000 ? 1 : 1 + random.below(way === 1 ? 30 : 3_000);
    parts.push(bytes.subarray(at, at + size));
    at += size;
  }
  return parts;
}
