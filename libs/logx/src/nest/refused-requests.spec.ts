import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { METRIC_SOURCE } from '@apix/contracts';
import { hasMark } from '@apix/contracts/internal';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HttpDoor } from '../http/http-door.js';
import { head, RawClient } from '../http/raw-client.fixture.js';
import { RefusedRequests } from '../http/refused-requests.js';
import { createLogger } from '../logger/create-logger.js';
import { enterServer } from '@apix/calls/internal';
import { collectingSink } from '../testing/collecting-sink.js';
import { PLATFORMS, type Running, start } from './running.fixture.js';

let running: Running | undefined;
afterEach(async () => {
  await running?.app.close();
  running = undefined;
});

const figures = (): Readonly<Record<string, number>> => {
  const source = running!.app.get(RefusedRequests, { strict: false });
  expect(hasMark(source, METRIC_SOURCE)).toBe(true);
  return Object.fromEntries(
    [...source.metrics()].map(({ name, attributes, value }) => [
      `${name} ${attributes!['reason']}`,
      value,
    ]),
  );
};

describe.each(PLATFORMS)('requests that the HTTP parser refuses (%s)', (_, platform) => {
  it.each([
    ['malformed', 'GET / HTTP/1.1\r\nHost: a\r\nbroken header\r\n\r\n', 400],
    ['headers', head('GET', '/', `x-long: ${'x'.repeat(20_000)}`), 431],
  ])('are counted, and answered as ever: %s', async (reason, request, status) => {
    running = await start(platform);
    const client = await RawClient.to(running.port);
    client.send(request);
    expect(await client.closed()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(figures()).toEqual({
      'apix.logx.http.refused malformed': 0,
      'apix.logx.http.refused headers': 0,
      'apix.logx.http.refused timeout': 0,
      [`apix.logx.http.refused ${reason}`]: 1,
    });
  });

  it('are answered by the listener of the app where it has one', async () => {
    running = await start(platform, {
      prepare: (app) => {
        const server = app.getHttpServer() as Server;
        server.removeAllListeners('clientError');
        server.on('clientError', (_error, socket) => void socket.end('HTTP/1.1 418 Mine\r\n\r\n'));
      },
    });
    const client = await RawClient.to(running.port);
    client.send('rubbish\r\n\r\n');
    expect(await client.closed()).toBe('HTTP/1.1 418 Mine\r\n\r\n');
    expect(figures()['apix.logx.http.refused malformed']).toBe(1);
  });

  it('are not those of a caller who leaves', async () => {
    running = await start(platform);
    const server = running.app.getHttpServer() as Server;
    const gone = new Promise<unknown>((resolve) => server.once('clientError', resolve));
    const client = await RawClient.to(running.port);
    client.send('POST /orders HTTP/1.1', 'Host: a', 'Content-Length: 10', '', 'abc');
    client.socket.end();
    await gone;
    expect(Object.values(figures())).toEqual([0, 0, 0]);
  });
});

describe('a request that does not come whole in time', () => {
  it('is counted, and answered as ever', async () => {
    const refused = new RefusedRequests();
    const logger = createLogger({ sinks: [collectingSink()] });
    const server = createServer({
      connectionsCheckingInterval: 5,
      headersTimeout: 20,
      requestTimeout: 20,
    });
    enterServer(server, new HttpDoor(logger, {}, refused));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = await RawClient.to((server.address() as AddressInfo).port);
    client.send('GET / HTTP/1.1', 'Host: a', '');
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 408 /);
    expect([...refused.metrics()].map(({ value }) => value)).toEqual([0, 0, 1]);
    server.close();
  });
});
