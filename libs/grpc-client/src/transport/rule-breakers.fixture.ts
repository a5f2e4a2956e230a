import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  HEADERS,
  type Headers,
  MESSAGE,
  type Script,
  TRAILERS,
  answerWell,
  headerBlock,
  words,
} from '../../../../tools/testing/frame-server.js';

function withTrailers(trailers: Headers): Script {
  return (to, stream) => {
    to.headers(stream, HEADERS);
    to.headers(stream, trailers, END_STREAM);
  };
}

function resetAfterHeaders(code: number): Script {
  return (to, stream) => {
    to.headers(stream, HEADERS);
    to.send(FRAME.reset, 0, stream, words(code));
  };
}

type Row = readonly [string, Script];

/** What a server does that ends its call, and no other. */
export const ODD_ANSWERS: readonly Row[] = [
  [
    'headers twice',
    (to, stream) => {
      to.headers(stream, HEADERS);
      to.headers(stream, HEADERS);
    },
  ],
  ['headers without a status of HTTP', (to, stream) => to.headers(stream, HEADERS.slice(1))],
  [
    'informational headers first',
    (to, stream) => {
      to.headers(stream, [[':status', '103']]);
      answerWell(to, stream);
    },
  ],
  ['trailers without a status', withTrailers([['x-t', 't']])],
  [
    'a status that is no number',
    withTrailers([
      ['grpc-status', 'no'],
      ['x-t', 't'],
    ]),
  ],
  [
    'a status that is none',
    withTrailers([
      ['grpc-status', '99'],
      ['grpc-message', 'x'],
    ]),
  ],
  [
    'a status below 0',
    withTrailers([
      ['grpc-status', '-1'],
      ['grpc-message', 'x'],
    ]),
  ],
  [
    'two statuses',
    withTrailers([
      ['grpc-status', '0'],
      ['grpc-status', '5'],
    ]),
  ],
  [
    'a message of its status that is no text',
    withTrailers([
      ['grpc-status', '5'],
      ['grpc-message', '%E4%'],
    ]),
  ],
  [
    'metadata in upper case',
    withTrailers([
      ['X-T', 't'],
      ['grpc-status', '0'],
    ]),
  ],
  [
    'metadata of bytes that are no base64',
    withTrailers([
      ['grpc-status', '0'],
      ['a-bin', '*'],
    ]),
  ],
  [
    'a name that is not one of metadata',
    withTrailers([
      ['grpc-status', '0'],
      ['a/b', '*'],
      ['x-t', 't'],
    ]),
  ],
  [
    'data after the end',
    (to, stream) => {
      answerWell(to, stream);
      to.send(FRAME.data, 0, stream, MESSAGE);
    },
  ],
  [
    'half of a message',
    (to, stream) => {
      to.headers(stream, HEADERS);
      to.send(FRAME.data, 0, stream, MESSAGE.subarray(0, 5));
      to.headers(stream, TRAILERS, END_STREAM);
    },
  ],
  [
    'an end without trailers',
    (to, stream) => {
      to.headers(stream, HEADERS);
      to.send(FRAME.data, END_STREAM, stream, MESSAGE);
    },
  ],
  [
    '1,000 settings',
    (to, stream) => {
      for (let n = 0; n < 1_000; n += 1) to.send(FRAME.settings, 0, 0);
      answerWell(to, stream);
    },
  ],
  ...[0, 1, 2, 5, 7, 8, 11, 12, 13, 99].map(
    (code) => [`a reset with ${code} after headers`, resetAfterHeaders(code)] as const,
  ),
  ['a reset with 7 of each stream', (to, stream) => to.send(FRAME.reset, 0, stream, words(7))],
  ['the end of its connection', (to) => to.socket.end()],
  [
    'the end of its connection after headers',
    (to, stream) => {
      to.headers(stream, HEADERS);
      to.socket.end();
    },
  ],
];

/** What ends a connection with all of its calls. */
export const BROKEN_CONNECTIONS: readonly Row[] = [
  [
    'continuations without end',
    (to, stream) => {
      to.send(FRAME.headers, 0, stream, headerBlock(HEADERS));
      for (let n = 0; n < 2_000; n += 1)
        to.send(FRAME.continuation, 0, stream, headerBlock([[`x-${n}`, 'x'.repeat(100)]]));
    },
  ],
  [
    '1 MB of metadata',
    (to, stream) => {
      const block = headerBlock([
        ...HEADERS,
        ...Array.from({ length: 100 }, (_, n) => [`x-${n}`, 'x'.repeat(10_000)] as const),
      ]);
      to.send(FRAME.headers, 0, stream, block.subarray(0, 16_000));
      for (let at = 16_000; at < block.length; at += 16_000)
        to.send(
          FRAME.continuation,
          at + 16_000 >= block.length ? END_HEADERS : 0,
          stream,
          block.subarray(at, at + 16_000),
        );
    },
  ],
  [
    'a promise to push',
    (to, stream) =>
      to.send(
        FRAME.pushPromise,
        END_HEADERS,
        stream,
        Buffer.concat([
          words(2),
          headerBlock([
            [':method', 'GET'],
            [':path', '/'],
            [':scheme', 'http'],
            [':authority', 'a'],
          ]),
        ]),
      ),
  ],
  ['a window that overflows', (to) => to.send(FRAME.windowUpdate, 0, 0, words(0x7fffffff))],
  [
    '10,000 pings',
    (to, stream) => {
      for (let n = 0; n < 10_000; n += 1) to.send(FRAME.ping, 0, 0, Buffer.alloc(8));
      answerWell(to, stream);
    },
  ],
  ['a reset of stream 0', (to) => to.send(FRAME.reset, 0, 0, words(0))],
  ['the loss of its connection', (to) => to.socket.resetAndDestroy()],
  ['a GOAWAY that names an error', (to, stream) => to.send(FRAME.goaway, 0, 0, words(stream, 2))],
  [
    'a GOAWAY with a failure, and the end of its connection',
    (to, stream) => {
      to.send(FRAME.goaway, 0, 0, words(stream, 1));
      to.socket.end();
    },
  ],
];

/** How a call ends over http2 that its own rules end. */
const LOST = '14 by the client: Connection dropped';
const RESET = '13 by the client: Received RST_STREAM with code 1';

/** What a call waits for in vain over grpc-js, where its deadline is its end, and how it ends over http2. */
export const UNHEARD: readonly (readonly [string, Script, string])[] = [
  ['data before headers', (to, stream) => to.send(FRAME.data, 0, stream, MESSAGE), RESET],
  [
    'data of a stream that nobody opened',
    (to, stream) => {
      to.send(FRAME.data, 0, 99, MESSAGE);
      answerWell(to, stream);
    },
    LOST,
  ],
  [
    'a block that is not one of headers',
    (to, stream) =>
      to.send(FRAME.headers, END_HEADERS, stream, Buffer.of(0xff, 0xff, 0xff, 0xff, 0xff)),
    LOST,
  ],
  [
    'a frame above the limit',
    (to, stream) => to.send(FRAME.data, 0, stream, Buffer.alloc(20_000)),
    LOST,
  ],
  [
    'settings that are forbidden',
    (to) => to.send(FRAME.settings, 0, 0, Buffer.from('000400000000ffff', 'hex')),
    LOST,
  ],
  [
    'text in place of frames',
    (to) => to.raw(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')),
    LOST,
  ],
];

/** What a call waits for in vain: its deadline is its end. */
export const SILENCES: readonly Row[] = [
  ['headers alone, and nothing after', (to, stream) => to.headers(stream, HEADERS)],
  ['nothing', () => {}],
];
