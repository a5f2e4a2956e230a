import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import { step } from '../../chromium.js';
import { ask } from '../asked.js';
import type { Bed } from '../bed.js';
import { untilStatus } from '../gateway.js';

/** Streams of every kind. */
export async function testStreams(bed: Bed): Promise<void> {
  const { address } = await bed.python();
  const { url } = await bed.gateway(['--backend', address, '--websockets']);
  await untilStatus(`${url}/readyz`, 200);
  await step('a stream of answers is a line each, as it comes', async () => {
    const response = await fetch(`${url}/v1/plants:watch?times=3&every_ms=300`);
    assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
    const came: number[] = [];
    let text = '';
    for await (const chunk of response.body!) {
      came.push(performance.now());
      text += Buffer.from(chunk as Uint8Array).toString();
    }
    assert.ok(came.at(-1)! - came[0]! >= 300, 'all of it came at once');
    const heights = [{}, { height: 1 }, { height: 2 }];
    assert.deepEqual(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
      heights.map((it) => ({ result: { name: 'plants/rose', ...it } })),
    );
  });
  await step('a stream that fails says so in its last line', async () => {
    const { status, text } = await ask(url, '/v1/plants:watch?times=1&fails=true');
    const [, last = ''] = text.trim().split('\n');
    const { error } = JSON.parse(last) as { error: Record<string, unknown> };
    assert.equal(status, 200);
    assert.equal(error['detail'] ?? error['message'], 'it is full grown');
  });
  await step('a stream is events where a caller asks for them', async () => {
    const headers = { accept: 'text/event-stream' };
    const { text, headers: got } = await ask(url, '/v1/plants:watch?times=2', { headers });
    assert.match(got['content-type']!, /^text\/event-stream/);
    assert.match(text, /data: \{"name":"plants\/rose","height":1\}/);
    assert.match(text, /event: status/);
  });
  await step('a stream of requests over a WebSocket has one answer', async () => {
    const got = await talk(url, '/v1/plants:sow', ['{"count":2}', '{"count":3}']);
    assert.deepEqual(got, { messages: [{ result: { messages: 2, seeds: 5 } }], code: 1000 });
  });
  await step('a stream both ways over a WebSocket has an answer to each', async () => {
    const got = await talk(url, '/v1/plants:talk', ['{"text":"rose"}', '{"text":"oak"}']);
    const messages = [{ result: { text: 'esor' } }, { result: { text: 'kao' } }];
    assert.deepEqual(got, { messages, code: 1000 });
  });
  await step('without a WebSocket the caller is told to use one', async () => {
    const { status, text } = await ask(url, '/v1/plants:sow', { body: { count: 1 } });
    assert.equal(status, 426);
    assert.match(text, /connect with a WebSocket/);
  });
}

async function talk(url: string, path: string, words: readonly string[]) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`);
  const messages: unknown[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())));
  const code = await new Promise<number>((resolve, reject) => {
    socket.on('open', () => {
      for (const word of words) socket.send(word);
      socket.send('');
    });
    socket.on('error', reject).on('close', resolve);
  });
  return { messages, code };
}
