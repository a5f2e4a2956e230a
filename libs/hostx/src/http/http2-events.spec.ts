import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { Host } from '../host/host-builder.js';
import { startHost } from '../testing/start-host.js';
import { answerOf, http2Client } from './http2-client.fixture.js';
import { httpService } from './http-service.js';

it.each([
  ['http', {}],
  ['https', { tls: { cert: CERTIFICATE, key: KEY } }],
])(
  'an event stream over HTTP/2 (%s) ends properly although its handler writes on until it is closed',
  async (scheme, options) => {
    const late: unknown[] = [];
    const service = httpService({
      host: '127.0.0.1',
      http2: true,
      drain: { delay: 0 },
      ...options,
      handler: (_, response) => {
        response.setHeader('content-type', 'text/event-stream');
        let writes = setImmediate(function write() {
          response.write('data: tick\n\n', (error) => error && late.push(error));
          if (response.writableEnded) response.end('more', () => late.push('ended'));
          writes = setImmediate(write);
        });
        response.on('close', () => clearImmediate(writes));
      },
    });
    const { stop } = await startHost(Host.builder().addService(service));
    const client = await http2Client(`${scheme}://localhost:${service.addr.split(':').at(-1)}`);
    const streams = Array.from({ length: 20 }, () => client.begin('/').end());
    const answers = Promise.all(streams.map(answerOf));
    await Promise.all(streams.map((stream) => once(stream, 'response')));
    expect(await stop()).toBeUndefined();
    for (const { status, body } of await answers) {
      expect([status, body.replaceAll('data: tick\n\n', '')]).toEqual([200, '']);
    }
    await client.closed;
    expect(late).toContainEqual(expect.objectContaining({ code: 'ERR_STREAM_WRITE_AFTER_END' }));
  },
);
