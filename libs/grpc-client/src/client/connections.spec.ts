import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../../../tools/testing/free-port.js';
import { program } from '../../../../tools/testing/program.js';
import { PROBE } from '../client.fixture.js';
import { channelOf, openChannel } from './create-client.js';
import { failureOfCall, probeClient, serveProbe } from './probe-service.fixture.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** An endpoint that accepts connections and says nothing. */
async function silentEndpoint(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.resume().on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a client whose readers leave 2,000 streams', () => {
  it('keeps its other calls', async () => {
    const server = await serveProbe({
      ServerStream: (call) => {
        call.on('error', () => {});
        call.write({ stringValue: 'first' });
        if (call.request.stringValue !== 'stay') return;
        call.on('cancelled', () => call.end());
      },
      Unary: ({ request }, respond) => respond(null, { stringValue: request.stringValue }),
    });
    const client = probeClient(server);
    let failure: unknown;
    const other = client.serverStream({ stringValue: 'stay' });
    await other.next();
    const second = other.next().catch((error: unknown) => (failure = error));
    for (let round = 0; round < 20; round += 1) {
      const streams = Array.from({ length: 100 }, () => client.serverStream({}));
      await Promise.all(streams.map((stream) => stream.next()));
      await Promise.all(streams.map(async (stream) => stream.return?.()));
    }
    expect((await client.unary({ stringValue: 'still' })).stringValue).toBe('still');
    expect(failure).toBeUndefined();
    expect([channelOf(client).state, channelOf(client).active]).toEqual(['ready', 1]);
    await other.return?.();
    await second;
  });
});

describe('a client of a server that accepts connections and says nothing', () => {
  it('fails as UNAVAILABLE once the time to connect is over, and again with the next call', async () => {
    const endpoint = await silentEndpoint();
    const client = probeClient({ endpoint }, 'network', { connectTimeout: 300 });
    expect(await failureOfCall(client.unary({}))).toMatchObject({ status: 'UNAVAILABLE' });
    const left = client.serverStream({});
    expect(await failureOfCall(left.next())).toMatchObject({
      status: 'UNAVAILABLE',
      cause: { message: expect.stringMatching(/: No connection in time$/) },
    });
  });

  it('waits until the deadline with waitForReady', async () => {
    const endpoint = await silentEndpoint();
    const client = probeClient({ endpoint }, 'network', { connectTimeout: 100 });
    const options = { waitForReady: true, timeout: 700 };
    const error = await failureOfCall(client.unary({}, options));
    expect(error).toMatchObject({ status: 'DEADLINE_EXCEEDED' });
  });
});

const CALLER = `
  import { ProtoRegistry } from '@apix/proto/core';
  import { createClient } from './create-client.js';
  const [, , protos, endpoint] = process.argv;
  const service = ProtoRegistry.load(protos).services.find(({ name }) => name === 'Probe');
  const client = createClient(service, { endpoint, connectTimeout: '10m' });
  await client.unary({}).catch((error) => console.log(error.status));
`;

it('a process that has called nobody ends, however long calls would wait', async () => {
  const caller = await program({
    code: CALLER,
    folder: new URL('.', import.meta.url),
  });
  try {
    const child = caller.run(PROBE, `127.0.0.1:${await freePort()}`);
    expect(await child.ended).toMatchObject({ code: 0, out: 'UNAVAILABLE\n' });
  } finally {
    await caller.remove();
  }
});

it.each([0, 'soon', -1])('a client refuses a connectTimeout of %p', (connectTimeout) => {
  expect(() => openChannel({ endpoint: 'localhost:1', connectTimeout })).toThrow('connectTimeout');
});
