import { status as GrpcStatus } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type Http2Server, type OutgoingHttpHeaders, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { callOver, plainTransport } from './probe-call.fixture.js';

let server: Http2Server | undefined;
afterEach(() => void server?.close());

/** How a call ends that gets these headers and a text. */
async function endOf(headers: OutgoingHttpHeaders, stack: 'grpc-js' | 'http2') {
  server = createServer();
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, ...headers });
    stream.end('<h1>hello</h1>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = plainTransport(`127.0.0.1:${(server.address() as AddressInfo).port}`, {
    stack,
  });
  const end = await callOver(transport).ended;
  transport.close();
  return end;
}

describe.each(['grpc-js', 'http2'] as const)(
  'over %s an answer that is not one of gRPC',
  (stack) => {
    it.each([{ 'content-type': 'text/html' }, { 'content-type': 'application/json' }])(
      'ends the call and is named: %j',
      async (headers) => {
        const { status, fromServer } = await endOf(headers, stack);
        expect(fromServer).toBe(false);
        expect(status).toMatchObject({
          code: GrpcStatus.UNKNOWN,
          details: `the answer is not one of gRPC, for its content-type is "${headers['content-type']}"`,
        });
      },
    );

    it('is what its status of HTTP says where that is no 200', async () => {
      const { status } = await endOf({ ':status': 503, 'content-type': 'text/html' }, stack);
      expect(status.code).toBe(GrpcStatus.UNAVAILABLE);
    });

    it.each([{ 'content-type': 'application/grpc+proto' }, {}])(
      'is not looked for where %j says nothing of it',
      async (headers) => {
        // The text is taken for a message, whose length is what its first bytes say.
        expect((await endOf(headers, stack)).status.code).toBe(GrpcStatus.RESOURCE_EXHAUSTED);
      },
    );
  },
);
