import { gzipSync } from 'node:zlib';
import { expect } from '@jest/globals';
import { type Answer, HEADERS, answerWith, frame } from './same-ends.fixture.js';

/** A message of so many bytes. */
export const bytes = (length: number): Buffer => Buffer.alloc(length, 7);
const GZIP = { ...HEADERS, 'grpc-encoding': 'gzip' };
const compressed = (length: number): Buffer => frame(gzipSync(bytes(length)), 1);

/** What it is, the answer, and the trace of it. */
type Row = readonly [string, Answer, readonly unknown[]];

function pageWith(status: number): Row {
  return [
    `a page with ${status}`,
    (call) => {
      call.respond({ ':status': status, 'content-type': 'text/html' });
      call.end('<h1>no</h1>');
    },
    ['headers ', expect.stringContaining(`Received HTTP status code ${status}`)],
  ];
}

function resetWith(code: number): Row {
  return [
    `a reset with ${code}`,
    (call) => call.close(code),
    [expect.stringContaining('by the client: ')],
  ];
}

/** An answer, and what it comes to. */
export const ANSWERS: readonly Row[] = [
  [
    'one message',
    (call) => answerWith(call, [frame(bytes(10))]),
    ['message of 10', '0 by the server:  t'],
  ],
  ['no message', (call) => answerWith(call, []), ['0 by the server:  t']],
  [
    'fifty messages at once',
    (call) =>
      answerWith(call, [Buffer.concat(Array.from({ length: 50 }, (_, n) => frame(bytes(n))))]),
    [...Array.from({ length: 50 }, (_, n) => `message of ${n}`), '0 by the server:  t'],
  ],
  [
    'a message in parts of one byte',
    (call) =>
      answerWith(
        call,
        [...frame(bytes(4))].map((byte) => Buffer.of(byte)),
      ),
    ['message of 4', '0 by the server:  t'],
  ],
  [
    '4 MB',
    (call) => answerWith(call, [frame(bytes(4e6))]),
    ['message of 4000000', '0 by the server:  t'],
  ],
  [
    'a failure after a message',
    (call) =>
      answerWith(call, [frame(bytes(2))], {
        trailers: { 'grpc-status': '9', 'grpc-message': 'no%20p%C3%A4t' },
      }),
    ['message of 2', '9 by the server: no pät'],
  ],
  [
    'a compressed message',
    (call) => answerWith(call, [compressed(5_000), frame(bytes(3))], { headers: GZIP }),
    ['message of 5000', 'message of 3', '0 by the server:  t'],
  ],
  [
    'a bomb',
    (call) => answerWith(call, [compressed(9e6)], { headers: GZIP }),
    ['8 by the client: Received message that decompresses to a size larger than 4194304'],
  ],
  [
    'broken gzip',
    (call) => answerWith(call, [frame(bytes(4), 1)], { headers: GZIP }),
    ['13 by the client: Failed to decompress gzip-encoded message'],
  ],
  [
    'the beginning of 2 GiB',
    (call) => {
      call.respond(HEADERS);
      call.write(Buffer.of(0, 0x7f, 0xff, 0xff, 0xff));
    },
    ['8 by the client: Received message larger than max (2147483647 vs 4194304)'],
  ],
  [
    'no status',
    (call) => {
      call.respond(HEADERS);
      call.end(frame(bytes(1)));
    },
    [
      'message of 1',
      '13 by the client: Received RST_STREAM with code 0 (Call ended without gRPC status)',
    ],
  ],
];

/** Answers without headers of gRPC. */
export const REFUSALS: readonly Row[] = [
  [
    'a status alone',
    (call) =>
      call.respond(
        { ...HEADERS, 'grpc-status': '5', 'grpc-message': 'no', 'x-t': 'z' },
        { endStream: true },
      ),
    ['5 by the server: no z'],
  ],
  [
    'a page with 200',
    (call) => {
      call.respond({ ':status': 200, 'content-type': 'text/html' });
      call.end('<h1>hello</h1>');
    },
    [
      'headers ',
      '2 by the client: the answer is not one of gRPC, for its content-type is "text/html"',
    ],
  ],
  ...[400, 401, 403, 404, 429, 502, 503, 504, 418].map(pageWith),
  ...[0, 1, 2, 8, 11, 12, 13].map(resetWith),
  [
    'the end of the connection',
    (call) => call.session?.destroy(),
    ['14 by the client: Connection dropped'],
  ],
];
