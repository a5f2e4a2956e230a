import assert from 'node:assert/strict';
import { type CallOptions, ConnectError, type Transport, createClient } from '@connectrpc/connect';
import { step } from '../../chromium.js';
import type { Ports } from '../servers/server.js';
import { type Answer, registry, service } from '../suite/schema.js';
import { failureOf, transportsTo } from './transports.js';

interface Client {
  unary(request: object, options?: CallOptions): Promise<Answer>;
  serverStream(request: object, options?: CallOptions): AsyncIterable<Answer>;
  clientStream(requests: AsyncIterable<object>, options?: CallOptions): Promise<Answer>;
  bidiStream(requests: AsyncIterable<object>, options?: CallOptions): AsyncIterable<Answer>;
}

/** Connect's client for Node, by all protocols and versions of HTTP that it has. */
export async function testConnectNode({ http1, h2c }: Ports): Promise<void> {
  const [one, two] = [http1, h2c].map((port) => `http://localhost:${port}`);
  for (const { name, transport, isHttp2 } of transportsTo(one!, two!, registry)) {
    await testTransport(`connect-node, ${name}`, transport, isHttp2);
  }
}

async function testTransport(name: string, transport: Transport, isHttp2: boolean): Promise<void> {
  const client = createClient(service, transport) as Client;
  const bytes = (...sizes: number[]) => sizes.map((size) => new Uint8Array(size));
  const answers = (responseData: Uint8Array[], more = {}) => ({
    responseDefinition: { responseData, ...more },
  });
  const once = (value: Uint8Array) => ({
    responseDefinition: { response: { case: 'responseData', value } },
  });
  await step(`${name}: unary`, async () => {
    const answer = await client.unary(once(new Uint8Array(7)), { timeoutMs: 10_000 });
    assert.equal(answer.payload?.data.length, 7);
    assert.notEqual(answer.payload.requestInfo?.timeoutMs, undefined);
  });
  await step(`${name}: a stream of the server`, async () => {
    assert.deepEqual(await sizes(client.serverStream(answers(bytes(1, 2)))), [1, 2]);
  });
  await step(`${name}: a stream of the client`, async () => {
    const requests = iterate([once(new Uint8Array(3)), {}, {}]);
    const { payload } = await client.clientStream(requests);
    assert.deepEqual([payload?.data.length, payload?.requestInfo?.requests.length], [3, 3]);
  });
  await step(`${name}: streams in both directions`, async () => {
    const requests = iterate([{ ...answers(bytes(4, 5)), fullDuplex: true }, {}]);
    const stream = sizes(client.bidiStream(requests));
    if (isHttp2) assert.deepEqual(await stream, [4, 5]);
    else await assert.rejects(stream, (error) => ConnectError.from(error).code === UNKNOWN);
  });
  await step(`${name}: an error with details`, async () => {
    const error = { code: 5, message: 'gone' };
    const request = { responseDefinition: { response: { case: 'error', value: error } } };
    const { code, rawMessage, details } = await failureOf(client.unary(request));
    assert.deepEqual([code, rawMessage, details.length], [5, 'gone', 1]);
  });
  await step(`${name}: a deadline`, async () => {
    const stream = sizes(
      client.serverStream(answers(bytes(1), { responseDelayMs: 60_000 }), { timeoutMs: 50 }),
    );
    assert.equal((await failureOf(stream)).code, DEADLINE_EXCEEDED);
  });
}

/** What a status of HTTP that says nothing else, 505, is to a client. */
const UNKNOWN = 2;
const DEADLINE_EXCEEDED = 4;

async function sizes(stream: AsyncIterable<Answer>): Promise<number[]> {
  const all: number[] = [];
  for await (const { payload } of stream) all.push(payload?.data.length ?? 0);
  return all;
}

async function* iterate(messages: readonly object[]): AsyncGenerator<object> {
  yield* messages;
}
