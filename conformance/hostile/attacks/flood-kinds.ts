import { randomBytes } from 'node:crypto';
import {
  ACK,
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  numberFrame,
  settingsFrame,
} from '../../../tools/testing/http2-frames.js';

const CANCEL = 8;
const INTERNAL_ERROR = 2;
const PADDED = 0x8;
const PRIORITY = 0x2;
const UNKNOWN = 0x20;
const HEADER_TABLE = 1;
const INITIAL_WINDOW = 4;
const MAX_WINDOW = 2 ** 31 - 1;
/** For one call, whose answer makes up for ten frames. */
const GOAWAYS = 20;

const idOf = (index: number): number => index * 2 + 1;
const begin = (index: number, call: Buffer, more = 0): Buffer =>
  frame(FRAME.headers, END_HEADERS | more, idOf(index), call);
/** Of the one stream that a flood is about. */
const once = (index: number, call: Buffer): readonly Buffer[] =>
  index === 0 ? [begin(0, call)] : [];

/** That each stream depends on the one before, and on nothing else with it. */
function dependency(index: number): Buffer {
  const payload = Buffer.alloc(5, 0xff);
  payload.writeUInt32BE(0x80000000 + (index === 0 ? 0 : idOf(index - 1)), 0);
  return frame(PRIORITY, 0, idOf(index), payload);
}

/** Frames by the thousand; what of a connection must be unique is made from `index`. */
export const FLOODS: Readonly<Record<string, (index: number, call: Buffer) => readonly Buffer[]>> =
  {
    'rapid resets': (index, call) => [
      begin(index, call),
      numberFrame(FRAME.rstStream, idOf(index), CANCEL),
    ],
    'streams that a window of nothing makes the server reset': (index, call) => [
      begin(index, call),
      numberFrame(FRAME.windowUpdate, idOf(index), 0),
    ],
    'streams that too large a window makes the server reset': (index, call) => [
      begin(index, call),
      numberFrame(FRAME.windowUpdate, idOf(index), MAX_WINDOW),
    ],
    'bodies after their end': (index, call) => [
      begin(index, call, END_STREAM),
      frame(FRAME.data, 0, idOf(index), Buffer.alloc(5)),
    ],
    'headers after their end': (index, call) => [
      begin(index, call, END_STREAM),
      begin(index, call, END_STREAM),
    ],
    settings: () => [settingsFrame({ [INITIAL_WINDOW]: 65_536 })],
    'settings that change tables and windows': () => [
      settingsFrame({ [HEADER_TABLE]: 0, [INITIAL_WINDOW]: 0 }),
      settingsFrame({ [HEADER_TABLE]: 4_096, [INITIAL_WINDOW]: 65_535 }),
    ],
    'answers to settings': () => [frame(FRAME.settings, ACK, 0)],
    pings: () => [frame(FRAME.ping, 0, 0, randomBytes(8))],
    'answers to pings': () => [frame(FRAME.ping, ACK, 0, randomBytes(8))],
    'window updates of nothing': () => [numberFrame(FRAME.windowUpdate, 0, 0)],
    'window updates of one byte': (index, call) => [
      ...once(index, call),
      numberFrame(FRAME.windowUpdate, 1, 1),
    ],
    'empty data': (index, call) => [...once(index, call), frame(FRAME.data, 0, 1)],
    'data of nothing but padding': (index, call) => [
      ...once(index, call),
      frame(FRAME.data, PADDED, 1, Buffer.from([3, 0, 0, 0])),
    ],
    'priorities in a tree': (index) => [dependency(index)],
    'frames of an unknown type': () => [frame(UNKNOWN, 0, 0)],
    'GOAWAYs with calls between them': (index, call) => [
      ...Array.from({ length: GOAWAYS }, () =>
        frame(FRAME.goaway, 0, 0, Buffer.from([0, 0, 0, 0, 0, 0, 0, INTERNAL_ERROR])),
      ),
      begin(index, call, END_STREAM),
    ],
  };
