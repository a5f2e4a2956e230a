import { Code } from '@apix/contracts';
import { once } from 'node:events';
import { type Http2Server, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { failureOfCall, probeClient } from '../client/probe-service.fixture.js';

/** An empty message, framed as gRPC has it. */
const NOTHING = Buffer.alloc(5);

let server: Http2Server | undefined;
afterEach(() => void server?.close());

/** A server that answers every call with so many messages and OK, whatever the method's kind. */
async function endpointWith(messages: number): Promise<string> {
  server = createServer();
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc' },
      { waitForTrailers: true },
    );
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.concat(Array.from({ length: messages }, () => NOTHING)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a call with one response', () => {
  it.each([
    [0, 'the server sent no response'],
    [2, 'the server sent a second response'],
  ])('fails where the server sends %d', async (messages, why) => {
    const client = probeClient({ endpoint: await endpointWith(messages) });
    const error = await failureOfCall(client.unary({}));
    expect(error).toMatchObject({ code: Code.UNIMPLEMENTED });
    expect((error.cause as Error).message).toContain(why);
  });

  it('is that response where the server sends one', async () => {
    const client = probeClient({ endpoint: await endpointWith(1) });
    expect(await client.unary({})).toMatchObject({ int32Value: 0 });
  });
});
