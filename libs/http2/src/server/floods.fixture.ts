import {
  ACK,
  END_STREAM,
  FRAME,
  frame,
  numberFrame,
  settingsFrame,
} from '../../../../tools/testing/http2-frames.js';
import { PADDED, PRIORITY, UNKNOWN, data, headers, whole } from './frame-sequences.fixture.js';

/** Streams from 1; 1 itself is for what has ended. */
export const idOf = (n: number): number => 3 + 2 * n;

/** Frames that go on and on, `nth` time by time; the code that they are ended with. */
export const FLOODS: readonly (readonly [string, (nth: number) => readonly Buffer[]])[] = [
  [
    'streams that are reset at once',
    (n) => [whole(idOf(n), '/hold'), numberFrame(FRAME.rstStream, idOf(n), 8)],
  ],
  [
    'streams whose window grows by 0',
    (n) => [whole(idOf(n), '/hold'), numberFrame(FRAME.windowUpdate, idOf(n), 0)],
  ],
  [
    'streams whose window overflows',
    (n) => [whole(idOf(n), '/hold'), numberFrame(FRAME.windowUpdate, idOf(n), 2 ** 31 - 1)],
  ],
  ['data after the end', (n) => [whole(idOf(n), '/hold'), data(idOf(n), 'x')]],
  ['headers after the end', (n) => [whole(idOf(n), '/hold'), whole(idOf(n), '/hold')]],
  [
    'bodies that are too long',
    (n) => [headers(idOf(n), '/hold', 0, [['content-length', '1']]), data(idOf(n), 'xx')],
  ],
  ['requests that are malformed', (n) => [headers(idOf(n), 'x', END_STREAM)]],
  ['more streams than there may be', (n) => [headers(idOf(n), '/hold')]],
  [
    'trailers of streams that have ended',
    (n) => [...(n === 0 ? [whole(3, '/early')] : []), whole(1, '/')],
  ],
  ['settings', () => [settingsFrame({ 1: 0, 4: 0 }), settingsFrame({ 1: 4_096, 4: 65_535 })]],
  ['acknowledgements of settings', () => [frame(FRAME.settings, ACK, 0)]],
  ['pings', () => [frame(FRAME.ping, 0, 0, Buffer.alloc(8))]],
  ['answers to pings that nobody sent', () => [frame(FRAME.ping, ACK, 0, Buffer.alloc(8))]],
  ['windows', () => [numberFrame(FRAME.windowUpdate, 0, 1)]],
  [
    'windows of streams that have ended',
    (n) => [...(n === 0 ? [whole(1, '/early')] : []), numberFrame(FRAME.windowUpdate, 1, 1)],
  ],
  [
    'windows of one byte',
    (n) => [
      ...(n === 0 ? [settingsFrame({ 4: 0 }), whole(1, '/big')] : []),
      numberFrame(FRAME.windowUpdate, 1, 1),
    ],
  ],
  ['empty data', (n) => [...(n === 0 ? [headers(1, '/hold')] : []), data(1, '')]],
  [
    'data of nothing but padding',
    (n) => [...(n === 0 ? [headers(1, '/hold')] : []), data(1, '\u0003\0\0\0', PADDED)],
  ],
  [
    'data of streams that have ended',
    (n) => [...(n === 0 ? [whole(1, '/early')] : []), data(1, 'x')],
  ],
  ['priorities', (n) => [frame(PRIORITY, 0, idOf(n), Buffer.from([0, 0, 0, 1, 9]))]],
  ['frames of an unknown type', () => [frame(UNKNOWN, 0, 0)]],
  [
    'resets of streams that have ended',
    (n) => [...(n === 0 ? [whole(1, '/early')] : []), numberFrame(FRAME.rstStream, 1, 8)],
  ],
  ['GOAWAYs', () => [frame(FRAME.goaway, 0, 0, Buffer.alloc(8))]],
];
