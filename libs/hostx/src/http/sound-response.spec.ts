import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { askHttp1, askHttp2, connectHttp2 } from '../../../../tools/testing/http-answers.js';
import { httpService } from './http-service.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const [a, b] = ['a'.repeat(100), 'b'.repeat(500)];

/** What handlers do. */
const HANDLERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'ends with an empty text': (response) => {
    response.write(a);
    response.write(b);
    response.end('');
  },
  'ends with no bytes': (response) => {
    response.write(a);
    response.write(b);
    response.end(Buffer.alloc(0));
  },
  'writes an empty text before it waits': (response) => {
    response.write(a);
    response.write(b);
    response.write('', () => response.end());
  },
  'writes no bytes in an encoding': (response) => {
    response.write(a);
    response.write(b);
    response.write('', 'latin1', () => setImmediate(() => response.end()));
  },
  'pipes parts of which the last one is empty': (response) => {
    Readable.from([a, b, '']).pipe(response);
  },
  'writes in an encoding': (response) => {
    response.write('6162', 'hex');
    response.end('\u00e4', 'latin1');
  },
  'writes nothing but an empty text': (response) => void response.end(''),
};

describe.each([
  ['without TLS', 'http', {}],
  ['with TLS', 'https', { tls: { cert: CERTIFICATE, key: KEY } }],
])("over HTTP/2 on hostx's server %s", (_, scheme, options) => {
  it.each(Object.entries(HANDLERS))(
    'a handler that %s sends the bytes that it sends over HTTP/1',
    async (_what, answer) => {
      const handler = (_request: unknown, response: ServerResponse): void => answer(response);
      const service = httpService({ port: 0, host: '127.0.0.1', http2: true, handler, ...options });
      const stop = new AbortController();
      const ended = service.start(stop.signal);
      await service.ready();
      const url = `${scheme}://${service.addr}`;
      const session = connectHttp2(url);
      closing.push(
        () => ended,
        () => stop.abort(),
        () => session.close(),
      );
      const { body } = await askHttp1(url, { path: '/' });
      const answers = await Promise.all([1, 2, 3].map(() => askHttp2(session, { path: '/' })));
      expect(answers.map((it) => it.body)).toEqual([body, body, body]);
    },
  );
});
