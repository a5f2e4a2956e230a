import { headerBlock } from '../../../../tools/testing/http2-header-block.js';
import {
  ACK,
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  numberFrame,
  settingsFrame,
} from '../../../../tools/testing/http2-frames.js';

export const PRIORITY = 2;
const PUSH_PROMISE = 5;
export const PADDED = 8;
const HAS_PRIORITY = 32;
export const UNKNOWN = 99;
const EMPTY = Buffer.alloc(0);

type Pairs = readonly (readonly [string, string])[];

export function requestOf(path: string, more: Pairs = []): Pairs {
  return [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', path],
    [':authority', 'localhost'],
    ...more,
  ];
}

/** HEADERS of a request. @param flags in addition to END_HEADERS. */
export function headers(stream: number, path: string, flags = 0, more: Pairs = []): Buffer {
  return frame(FRAME.headers, END_HEADERS | flags, stream, headerBlock(requestOf(path, more)));
}

/** A request that is complete. */
export const whole = (stream: number, path: string): Buffer => headers(stream, path, END_STREAM);
export const fields = (stream: number, pairs: Pairs, flags = END_STREAM): Buffer =>
  frame(FRAME.headers, END_HEADERS | flags, stream, headerBlock(pairs));
const block = (hex: string): Buffer =>
  frame(FRAME.headers, END_HEADERS | END_STREAM, 1, Buffer.from(hex.replaceAll(' ', ''), 'hex'));
export const data = (stream: number, text: string, flags = 0): Buffer =>
  frame(FRAME.data, flags, stream, Buffer.from(text));
export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** An entry of HPACK that is kept, of a name `a` and 3,900 bytes, and an index of it. */
const KEPT = Buffer.concat([
  Buffer.from('4001617fbd1d', 'hex'),
  Buffer.alloc(3_900, 'x'),
  Buffer.alloc(200, 0xbe),
]);

/** Name, frames, our end, and that of node:http2 where it is another one. */
export const SEQUENCES: readonly (readonly [string, readonly Buffer[], string, string?])[] = [
  ['a request', [whole(1, '/')], 'answer'],
  ['a request in parts', [headers(1, '/'), data(1, 'a'), data(1, '', END_STREAM)], 'answer'],
  ['padding', [headers(1, '/'), data(1, '\u0003abc\0\0\0', END_STREAM | PADDED)], 'answer'],
  [
    'headers with a priority',
    [
      frame(
        FRAME.headers,
        END_HEADERS | END_STREAM | HAS_PRIORITY,
        1,
        Buffer.concat([Buffer.from([0, 0, 0, 3, 9]), headerBlock(requestOf('/'))]),
      ),
    ],
    'answer',
  ],
  ['trailers', [headers(1, '/'), fields(1, [['x-t', '1']])], 'answer'],
  ['a frame of an unknown type', [frame(UNKNOWN, 0, 0, EMPTY), whole(1, '/')], 'answer'],
  ['a setting that is unknown', [settingsFrame({ 99: 1 }), whole(1, '/')], 'answer'],
  [
    'a request after a GOAWAY',
    [frame(FRAME.goaway, 0, 0, Buffer.alloc(8)), whole(1, '/')],
    'answer',
    'goaway',
  ],
  [
    'a window that grows after the end',
    [whole(1, '/'), numberFrame(FRAME.windowUpdate, 1, 9)],
    'answer',
  ],
  [
    'a length that is right',
    [headers(1, '/', 0, [['content-length', '2']]), data(1, 'ab', END_STREAM)],
    'answer',
  ],
  [
    'OPTIONS *',
    [
      fields(1, [
        [':method', 'OPTIONS'],
        [':scheme', 'http'],
        [':path', '*'],
        [':authority', 'a'],
      ]),
    ],
    'answer',
  ],
  [
    'no authority but a host',
    [
      fields(1, [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', '/'],
        ['host', 'a'],
      ]),
    ],
    'answer',
  ],

  [
    'a length that is too long',
    [headers(1, '/hold', 0, [['content-length', '3']]), data(1, 'ab', END_STREAM)],
    'reset 1',
  ],
  [
    'a length that is too short',
    [headers(1, '/hold', 0, [['content-length', '1']]), data(1, 'ab')],
    'reset 1',
  ],
  [
    'a length that is no number',
    [headers(1, '/', END_STREAM, [['content-length', '-1']])],
    'reset 1',
  ],
  [
    'two lengths',
    [
      headers(1, '/hold', 0, [
        ['content-length', '1'],
        ['content-length', '2'],
      ]),
    ],
    'reset 1',
  ],
  [
    'a length that comes twice',
    [
      headers(1, '/', END_STREAM, [
        ['content-length', '0'],
        ['content-length', '0'],
      ]),
    ],
    'reset 1',
  ],
  [
    'no path',
    [
      fields(1, [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':authority', 'a'],
      ]),
    ],
    'reset 1',
  ],
  ['a path without its slash', [headers(1, 'shop.Orders/Get', END_STREAM)], 'reset 1'],
  ['an empty path', [headers(1, '', END_STREAM)], 'reset 1'],
  ['a path with a space', [headers(1, '/a b', END_STREAM)], 'reset 1'],
  ...(
    [
      ['a method that is no token', ':method', 'G T'],
      ['a scheme with a space', ':scheme', 'h t'],
      ['an authority with a space', ':authority', 'a b'],
      ['an authority with a path', ':authority', 'a/b'],
    ] as const
  ).map(
    ([name, pseudo, value]) =>
      [
        name,
        [
          fields(
            1,
            requestOf('/').map(([it, old]) => [it, it === pseudo ? value : old]),
          ),
        ],
        'reset 1',
      ] as const,
  ),
  [
    'a host with a space',
    [
      fields(1, [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', '/'],
        ['host', 'a b'],
      ]),
    ],
    'reset 1',
  ],
  [
    'trailers with a length that is wrong',
    [headers(1, '/'), data(1, 'ab'), fields(1, [['content-length', '7']])],
    'reset 1',
  ],
  [
    'trailers with a length that is right',
    [headers(1, '/'), data(1, 'ab'), fields(1, [['content-length', '2']])],
    'reset 1',
    'answer',
  ],
  ['two paths', [headers(1, '/', END_STREAM, [[':path', '/x']])], 'reset 1'],
  ['no pseudo-headers', [fields(1, [['a', 'b']])], 'reset 1'],
  ['a pseudo-header that is unknown', [fields(1, [[':x', 'y'], ...requestOf('/')])], 'reset 1'],
  ['a pseudo-header of answers', [fields(1, [[':status', '200'], ...requestOf('/')])], 'reset 1'],
  ['a pseudo-header after others', [fields(1, [['a', 'b'], ...requestOf('/')])], 'reset 1'],
  ['a name with capitals', [headers(1, '/', END_STREAM, [['X-A', 'b']])], 'reset 1'],
  ['a name that is no token', [headers(1, '/', END_STREAM, [['x a', 'b']])], 'reset 1', 'answer'],
  [
    'a value with a line break',
    [headers(1, '/', END_STREAM, [['x', 'a\r\nb: c']])],
    'reset 1',
    'answer',
  ],
  ['a header of connections', [headers(1, '/', END_STREAM, [['connection', 'close']])], 'reset 1'],
  ['te other than trailers', [headers(1, '/', END_STREAM, [['te', 'gzip']])], 'reset 1'],
  [
    'a host that is not the authority',
    [headers(1, '/', END_STREAM, [['host', 'evil']])],
    'reset 1',
    'answer',
  ],
  ['trailers that are not the end', [headers(1, '/hold'), fields(1, [['x-t', '1']], 0)], 'reset 1'],
  ['trailers with a pseudo-header', [headers(1, '/hold'), fields(1, [[':path', '/']])], 'reset 1'],
  [
    '200 headers',
    [
      headers(
        1,
        '/',
        END_STREAM,
        times(200, (n) => [`x-${n}`, '']),
      ),
    ],
    'reset 11',
  ],
  [
    'a header of 4 KB 200 times by its index',
    [headers(1, '/hold'), frame(FRAME.headers, END_HEADERS | END_STREAM, 1, KEPT)],
    'reset 11',
  ],
  ['data after the end', [whole(1, '/hold'), data(1, 'x')], 'reset 5', 'goaway'],
  ['headers after the end', [whole(1, '/hold'), whole(1, '/')], 'reset 5', 'goaway'],
  [
    'a stream window of 0 more',
    [whole(1, '/hold'), numberFrame(FRAME.windowUpdate, 1, 0)],
    'reset 1',
    'goaway',
  ],
  [
    'a stream window that overflows',
    [whole(1, '/hold'), numberFrame(FRAME.windowUpdate, 1, 2 ** 31 - 1)],
    'reset 3',
  ],

  [
    'more data than the window',
    [headers(1, '/paused'), ...times(5, () => data(1, 'x'.repeat(16_384)))],
    'reset 3',
  ],

  ['a frame that is too long', [frame(FRAME.data, 0, 1, Buffer.alloc(16_385))], 'goaway 6'],
  ['a ping of 7 bytes', [frame(FRAME.ping, 0, 0, Buffer.alloc(7))], 'goaway 6'],
  ['a ping of a stream', [frame(FRAME.ping, 0, 1, Buffer.alloc(8))], 'goaway 1'],
  [
    'a reset of 3 bytes',
    [whole(1, '/hold'), frame(FRAME.rstStream, 0, 1, Buffer.alloc(3))],
    'goaway 6',
  ],
  ['a reset of a stream that has not begun', [numberFrame(FRAME.rstStream, 1, 8)], 'goaway 1'],
  ['a window of 3 bytes', [frame(FRAME.windowUpdate, 0, 0, Buffer.alloc(3))], 'goaway 6'],
  ['a window of 0 more', [numberFrame(FRAME.windowUpdate, 0, 0)], 'goaway 1'],
  ['a window that overflows', [numberFrame(FRAME.windowUpdate, 0, 2 ** 31 - 1)], 'goaway 3'],
  ['a window of a stream that has not begun', [numberFrame(FRAME.windowUpdate, 1, 1)], 'goaway 1'],
  ['settings of 5 bytes', [frame(FRAME.settings, 0, 0, Buffer.alloc(5))], 'goaway 6'],
  ['settings of a stream', [frame(FRAME.settings, 0, 1, EMPTY)], 'goaway 1'],
  [
    'an acknowledgement with settings',
    [frame(FRAME.settings, ACK, 0, Buffer.alloc(6))],
    'goaway 6',
  ],
  ['pushes asked for twice', [settingsFrame({ 2: 2 })], 'goaway 1'],
  ['windows that are too large', [settingsFrame({ 4: 2 ** 31 })], 'goaway 3'],
  ['frames that are too small', [settingsFrame({ 5: 100 })], 'goaway 1'],
  [
    'windows that overflow by settings',
    [
      whole(1, '/hold'),
      numberFrame(FRAME.windowUpdate, 1, 2 ** 31 - 1 - 65_535),
      settingsFrame({ 4: 65_536 }),
    ],
    'goaway 3',
    'reset',
  ],
  ['a promise to push', [frame(PUSH_PROMISE, END_HEADERS, 1, Buffer.alloc(4))], 'goaway 1'],
  ['a stream with an even number', [whole(2, '/')], 'goaway 1'],
  ['headers of no stream', [whole(0, '/')], 'goaway 1'],
  ['data of no stream', [data(0, 'x')], 'goaway 1'],
  ['data of a stream that has not begun', [data(1, 'x')], 'goaway 1'],
  ['padding that is too long', [headers(1, '/hold'), data(1, '\u0009abc', PADDED)], 'goaway 1'],
  ['a continuation of nothing', [frame(FRAME.continuation, END_HEADERS, 1, EMPTY)], 'goaway 1'],
  [
    'a header block that is interrupted',
    [frame(FRAME.headers, 0, 1, EMPTY), frame(FRAME.ping, 0, 0, Buffer.alloc(8))],
    'goaway 1',
  ],
  [
    'a continuation of another stream',
    [frame(FRAME.headers, 0, 1, EMPTY), frame(FRAME.continuation, 0, 3, EMPTY)],
    'goaway 1',
  ],
  ['a priority of no stream', [frame(PRIORITY, 0, 0, Buffer.alloc(5))], 'goaway 1'],
  ['a priority of 4 bytes', [frame(PRIORITY, 0, 1, Buffer.alloc(4))], 'goaway 6'],
  ['a GOAWAY that is cut off', [frame(FRAME.goaway, 0, 0, Buffer.alloc(7))], 'goaway 6'],
  [
    'CONTINUATION without an end',
    [frame(FRAME.headers, 0, 1, EMPTY), ...times(20, () => frame(FRAME.continuation, 0, 1, EMPTY))],
    'goaway 11',
  ],
  ['an index that nothing has', [block('ff00')], 'goaway 9'],
  ['a number of HPACK without an end', [block('ffff ffff ffff ffff ff')], 'goaway 9'],
  ['a text of HPACK that is cut off', [block('0005 6162')], 'goaway 9'],
  ['a padding of Huffman of a whole byte', [block('0082 07ff 00')], 'goaway 9'],
  ['a table that is too large', [block('3fe2 1f')], 'goaway 9'],
  ['three sizes of the table', [block('20 3fe1 1f 20 8286')], 'goaway 9', 'reset'],
];
