import { once } from 'node:events';
import { type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fakeClock } from '@apix/contracts/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Viewers } from './viewers.js';

const responses: ServerResponse[] = [];
const clock = fakeClock();
let viewers: Viewers;
const server = createServer((_request, response) => {
  responses.push(response);
  viewers.add(response, 'hello', 'logs');
});

beforeEach(async () => {
  responses.length = 0;
  viewers = new Viewers(2, clock);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A viewer: what it has been sent so far, and the status. */
async function viewer(method = 'GET') {
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', method }).end();
  const [answer] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
  let text = '';
  answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { status: answer.statusCode, answer, text: () => text };
}

describe('viewers', () => {
  it('are told to come again after 2 s, then what there is', async () => {
    const one = await viewer();
    await once(one.answer, 'data');
    viewers.send((tab) => `more ${tab}`);
    while (!one.text().includes('more')) await once(one.answer, 'data');
    expect(one.text()).toBe('retry: 2000\n\ndata: hello\n\ndata: more logs\n\n');
  });

  it('are refused with 503 where there are too many, until one has gone', async () => {
    const one = await viewer();
    await viewer();
    expect((await viewer()).status).toBe(503);
    one.answer.destroy();
    await once(responses[0]!, 'close');
    expect(viewers.size).toBe(1);
    expect([viewers.see('logs'), viewers.see('jobs')]).toEqual([true, false]);
    expect((await viewer()).status).toBe(200);
  });

  it('are not kept where they ask for the head alone', async () => {
    expect((await viewer('HEAD')).status).toBe(200);
    expect(viewers.size).toBe(0);
  });

  it('may have been ended by somebody else in the same turn, as by a drain', async () => {
    const one = await viewer();
    const ended = once(one.answer, 'end');
    // Not by once(), which an error of the response would reject.
    const gone = new Promise<void>((resolve) => responses[0]!.on('close', () => resolve()));
    responses[0]!.end();
    viewers.send(() => 'too late');
    await Promise.all([ended, gone]);
    expect(one.text()).not.toContain('too late');
    expect(viewers.size).toBe(0);
  });

  it('are ended after a quarter of an hour, so that a guard sees them again', async () => {
    const one = await viewer();
    const ended = once(one.answer, 'end');
    await clock.advance(900_000);
    await ended;
    expect([viewers.size, clock.pending]).toEqual([0, 0]);
  });
});
