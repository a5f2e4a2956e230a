import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deadlineAfter } from '@apix/contracts';
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  numberFrame,
  settingsFrame,
} from '../../../../tools/testing/http2-frames.js';
import { headerBlock } from '../../../../tools/testing/http2-header-block.js';
import { RawHttp2 } from '../../../../tools/testing/raw-http2.js';
import { until } from '../../../../tools/testing/until.js';
import { type HttpService, httpService } from './http-service.js';
import { http2Client } from './http2-client.fixture.js';

const CANCEL = 8;
const INITIAL_WINDOW_SIZE = 4;
const MANY = 20_000;

let service: HttpService;
let stop: () => Promise<void>;
let port: number;
/** Requests that reached the handler. */
let handled: number;

beforeEach(async () => {
  handled = 0;
  service = httpService({
    host: '127.0.0.1',
    http2: true,
    drain: { delay: 0 },
    handler(request: IncomingMessage, response: ServerResponse) {
      handled += 1;
      request.resume();
      response.end(request.url === '/big' ? 'x'.repeat(1_000_000) : 'ok');
    },
  });
  const controller = new AbortController();
  const ended = service.start(controller.signal);
  await service.ready();
  port = Number(service.addr.split(':').at(-1));
  stop = async () => {
    controller.abort();
    // What a hostile client leaves open is closed by force.
    await Promise.allSettled([service.stop(deadlineAfter(200)), ended]);
  };
});
afterEach(() => stop());

const request = (stream: number, more: Readonly<Record<string, string>> = {}, end = true): Buffer =>
  frame(
    FRAME.headers,
    END_HEADERS | (end ? END_STREAM : 0),
    stream,
    headerBlock(
      Object.entries({
        ':method': 'GET',
        ':scheme': 'http',
        ':path': '/',
        ':authority': 'localhost',
        ...more,
      }),
    ),
  );

/** Another caller is served, on a connection of its own. */
async function othersAreServed(): Promise<void> {
  const client = await http2Client(`http://127.0.0.1:${port}`);
  expect(await client.ask('/')).toEqual({ status: 200, body: 'ok' });
  client.session.close();
}

describe('a server of HTTP/2', () => {
  it('ends a connection that resets its streams as fast as it opens them', async () => {
    const client = await RawHttp2.open(port);
    for (let count = 0; count < MANY && client.goaway === undefined; count += 100) {
      await client.write(
        ...Array.from({ length: 100 }, (_, at) => {
          const stream = (count + at) * 2 + 1;
          return Buffer.concat([request(stream), numberFrame(FRAME.rstStream, stream, CANCEL)]);
        }),
      );
      await othersAreServedOnce(count === 1_000);
    }
    // It reads no more; who does not take the hint is closed as an idle session is.
    await until(() => client.goaway !== undefined || client.socket.destroyed);
    expect(handled).toBeLessThan(MANY / 2);
    await othersAreServed();
  });

  it.each<[string, () => Buffer]>([
    ['SETTINGS', () => settingsFrame({ [INITIAL_WINDOW_SIZE]: 65_535 })],
    ['PING', () => frame(FRAME.ping, 0, 0, Buffer.alloc(8))],
  ])('survives a flood of %s from a client that reads nothing', async (_, flood) => {
    const client = await RawHttp2.open(port);
    client.socket.pause();
    const frames = Array.from({ length: 1_000 }, flood);
    for (let count = 0; count < 200 && !client.socket.destroyed; count++) {
      // Not waited for: the server may have stopped reading.
      client.socket.write(Buffer.concat(frames));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await othersAreServed();
    await client.destroy();
  });

  it('refuses headers beyond the limit, whole or in pieces without end', async () => {
    const client = await RawHttp2.open(port);
    // Limits hold from the client's ACK on; Node's own of 64 KiB before.
    await client.write(request(1));
    await client.outcome(1);
    await client.allRead();
    // Each counts with 32 bytes more than it has (RFC 9113 §6.5.2).
    const many = Array.from({ length: 120 }, (_, at) => [`a${at}`, 'x'.repeat(110)]);
    await client.write(request(3, Object.fromEntries(many) as Record<string, string>));
    const outcome = await client.outcome(3);
    expect(outcome === undefined || outcome.reset !== undefined).toBe(true);
    const endless = await RawHttp2.open(port);
    const piece = headerBlock([['a', 'x'.repeat(16_000)]]);
    await endless.write(frame(FRAME.headers, 0, 1, headerBlock([[':method', 'GET']])));
    for (let count = 0; count < 2_000 && !endless.socket.destroyed; count++) {
      await endless.write(frame(FRAME.continuation, 0, 1, piece));
    }
    await endless.closed;
    expect(handled).toBe(1);
    await othersAreServed();
    await client.destroy();
  });

  it('has no more streams of a connection open than it allows', async () => {
    const client = await RawHttp2.open(port);
    await client.write(
      ...Array.from({ length: 150 }, (_, at) => request(at * 2 + 1, { ':method': 'POST' }, false)),
    );
    const REFUSED = 7;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, at) => client.outcome((100 + at) * 2 + 1)),
    );
    expect(outcomes.map((outcome) => outcome?.reset)).toEqual(Array(50).fill(REFUSED));
    await othersAreServed();
    await client.destroy();
  });

  it('serves others while a client leaves its window closed, and stops without it', async () => {
    const client = await RawHttp2.open(port, {
      reads: false,
      settings: { [INITIAL_WINDOW_SIZE]: 0 },
    });
    await client.write(
      ...Array.from({ length: 50 }, (_, at) => request(at * 2 + 1, { ':path': '/big' })),
    );
    await client.allRead();
    await othersAreServed();
    await stop();
    await client.closed;
    expect(service.addr).toBe('');
  });

  async function othersAreServedOnce(now: boolean): Promise<void> {
    if (now) await othersAreServed();
  }
});
