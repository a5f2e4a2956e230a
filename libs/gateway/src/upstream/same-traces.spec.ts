import { describe, expect, it } from '@jest/globals';
import { caseRows } from '../fixtures/conformance/all-cases.fixture.js';
import { FuzzClient } from '../fixtures/fuzz/fuzz-client.fixture.js';
import { fuzzRequest } from '../fixtures/fuzz/fuzz-request.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { type Ask, ask } from '../fixtures/serve.fixture.js';
import { ServerTrace } from '../fixtures/server-trace.fixture.js';

/** Requests that are made up, of one seed. */
const MADE_UP = 400;
const SEED = 20_261_124;

const onGrpcJs = new ServerTrace();
const onHttp2 = new ServerTrace();
const grpcJs = useRig('network', [onGrpcJs.interceptor]);
const http2 = useRig('http2', [onHttp2.interceptor]);

/** The answer, except for the parts that differ by time and chance, and what the server saw of the call. */
async function traceOf(port: number, server: ServerTrace, path: string, request: Ask) {
  const { status, headers, text } = await ask(port, path, request);
  const { date: _, 'x-request-id': __, ...others } = headers;
  const seen = await seenBy(server, port);
  return { status, headers: others, text: comparable(text), server: seen };
}

/** What the server saw since the last time. */
async function seenBy(server: ServerTrace, port: number): Promise<readonly string[]> {
  // The gateway may answer before its call has reached the server, which is before a later call on the same connection.
  const { status } = await ask(port, '/v1/query');
  expect(status).toBe(200);
  return (await server.take()).slice(0, -1).flat().map(comparable);
}

/** Without what differs from call to call, and the names that both clients give themselves. */
function comparable(text: string): string {
  return (
    text
      // Whether the gateway's time or the server's ends first is chance, and each has a text of its own.
      .replaceAll('Deadline exceeded', 'deadline exceeded')
      .replaceAll(/^date: .*$/gim, '')
      .replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, '<id>')
      .replaceAll(/\bgrpc-node-(js|http2)\/[\d.]+/g, '<client>')
      .replaceAll(/\b127\.0\.0\.1:\d+/g, '<host>')
      .replaceAll(/("?remainingMs"?: ?"?)\d+/g, '$1<ms>')
  );
}

describe('over grpc-js and over http2, the server sees the same and the caller gets the same', () => {
  it.each(caseRows)('%s: %s', async (_source, _request, one) => {
    const [method = '', path = ''] = one.request.split(' ');
    const request = { ...one.ask, method };
    const expected = await traceOf(await grpcJs.start(), onGrpcJs, path, request);
    expect(await traceOf(await http2.start(), onHttp2, path, request)).toEqual(expected);
  });

  it(`with ${MADE_UP} requests that are made up`, async () => {
    const [onePort, otherPort] = [await grpcJs.start(), await http2.start()];
    const [first, second] = [new FuzzClient(onePort), new FuzzClient(otherPort)];
    let calls = 0;
    for (let index = 0; index < MADE_UP; index += 1) {
      const request = fuzzRequest(SEED, index);
      const expected = { ...(await first.send(request)), server: await seenBy(onGrpcJs, onePort) };
      const found = { ...(await second.send(request)), server: await seenBy(onHttp2, otherPort) };
      if (found.server.length > 0) calls += 1;
      expect({ index, ...found, text: comparable(found.text) }).toEqual({
        index,
        ...expected,
        text: comparable(expected.text),
      });
    }
    expect(calls).toBeGreaterThan(MADE_UP / 10);
    first.close();
    second.close();
  });
});
