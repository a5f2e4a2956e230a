import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { connectHttp2 } from '../../../../tools/testing/http-answers.js';
import { FRAME, frame } from '../../../../tools/testing/http2-frames.js';
import { RawHttp2, callHeaders } from '../../../../tools/testing/raw-http2.js';
import { until } from '../../../../tools/testing/until.js';
import type { HttpServiceOptions } from './http-options.js';
import { httpService } from './http-service.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers of handlers that do not wait for the end of a request. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  '/body': (_, response) => void response.writeHead(401).end('who are you?'),
  '/headers': (_, response) => void response.writeHead(401).end(),
  '/parts': (_, response) => {
    response.writeHead(401).write('who ');
    response.write('are ');
    response.end('you?');
  },
};

describe.each<[string, Partial<HttpServiceOptions>]>([
  ['without TLS', {}],
  ['with TLS', { tls: { cert: CERTIFICATE, key: KEY } }],
])("an answer of a handler before the end of its request, on hostx's server %s", (_, options) => {
  const scheme = options.tls === undefined ? 'http' : 'https';

  async function start(handler: Answer): Promise<string> {
    const service = httpService({ port: 0, host: '127.0.0.1', http2: true, handler, ...options });
    const stop = new AbortController();
    const ended = service.start(stop.signal);
    await service.ready();
    closing.push(() => {
      stop.abort();
      return ended;
    });
    return service.addr;
  }

  const answer: Answer = (request, response) => ANSWERS[request.url!]!(request, response);

  it.each(Object.keys(ANSWERS))('%s has its end before its stream is reset', async (path) => {
    const port = Number((await start(answer)).split(':')[1]);
    const raw = await RawHttp2.open(port, { secure: scheme === 'https' });
    closing.push(() => raw.destroy());
    await raw.write(callHeaders(1, path), frame(FRAME.data, 0, 1, Buffer.alloc(8_000)));
    const outcome = await raw.outcome(1);
    expect([outcome?.headers.get(':status'), outcome?.reset]).toEqual(['401', undefined]);
    await until(() => raw.resets.size > 0);
    expect(raw.resets.get(1)).toBe(0);
  });

  it('leaves a handler that reads on the time that it takes', async () => {
    let bytes = 0;
    let atEnd: number | undefined;
    const addr = await start((request, response) => {
      request.on('data', (part: Buffer) => (bytes += part.length));
      request.on('end', () => (atEnd = bytes));
      response.end('soon');
    });
    const session = connectHttp2(`${scheme}://${addr}`);
    closing.push(() => session.destroy());
    const stream = session.request({ ':method': 'POST', ':path': '/' }).resume();
    await once(stream, 'response');
    stream.end(Buffer.alloc(8_000_000));
    await until(() => atEnd !== undefined);
    expect(atEnd).toBe(8_000_000);
  });
});
