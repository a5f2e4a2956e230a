import { gzipSync } from 'node:zlib';
import { frame, grpcCall } from '../grpc-call.js';
import { logged, methodPath } from '../knock.js';
import type { Attack } from '../row.js';

const MB = 2 ** 20;

/** Field 2 of a note, bytes, with this many zeros. */
function zeros(count: number): Buffer {
  const length: number[] = [];
  for (let rest = count; ; rest >>>= 7) {
    if (rest < 128) {
      length.push(rest);
      break;
    }
    length.push((rest & 127) | 128);
  }
  return Buffer.concat([Buffer.from([0x12, ...length]), Buffer.alloc(count)]);
}

/** Messages that grpc-js itself refuses, by what is wrong with them. */
const MESSAGES: Readonly<
  Record<string, () => { readonly body: Buffer; readonly headers?: Record<string, string> }>
> = {
  bomb: () => ({
    body: frame(gzipSync(zeros(32 * MB)), 1),
    headers: { 'grpc-encoding': 'gzip' },
  }),
  'broken gzip': () => ({
    body: frame(Buffer.from('this is no gzip'), 1),
    headers: { 'grpc-encoding': 'gzip' },
  }),
  'compressed without an encoding': () => ({ body: frame(gzipSync(zeros(10)), 1) }),
  'unknown encoding': () => ({
    body: frame(Buffer.from('x'), 1),
    headers: { 'grpc-encoding': 'nope' },
  }),
  'too large': () => ({ body: frame(zeros(5 * MB)) }),
  'too large by its prefix': () => ({ body: frame(Buffer.from('x'), 0, 0xffff_fff0) }),
  'cut off': () => ({ body: frame(Buffer.from('x'), 0, 100) }),
  undecodable: () => ({ body: frame(Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])) }),
  'an odd flag': () => ({ body: frame(Buffer.from('x'), 0x7f) }),
};

export type BadMessage = keyof typeof MESSAGES;

/** The status that the caller gets, and the one that is logged. */
export const badMessage =
  (how: BadMessage): Attack =>
  async (site, door) => {
    const id = site.id();
    const { body, headers } = MESSAGES[how]!();
    const { status } = await grpcCall(site.portOf(door), {
      path: methodPath(door, '/strangers.v1.Porch/Echo'),
      body,
      headers: { ...headers, 'x-request-id': id },
    });
    return `${status} ${await logged(site, door, id)}`;
  };
