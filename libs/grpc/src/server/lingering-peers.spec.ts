import 'reflect-metadata';
import { startHost } from '@apix/hostx/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { PREFACE, settingsFrame } from '../../../../tools/testing/http2-frames.js';
import { SERVER_CERT, SERVER_KEY } from '../../../grpc-client/src/tls/certificates.fixture.js';
import { GrpcServer } from '../nest/grpc-server.js';
import { ObservableController, overEachStack, probeApp } from '../probe.fixture.js';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection of HTTP/2 that never closes its end, whatever the server does. */
async function stubborn(port: number, secure: boolean): Promise<Socket> {
  const to = { port, host: '127.0.0.1', allowHalfOpen: true };
  const socket = secure
    ? connectTls({ ...to, ALPNProtocols: ['h2'], rejectUnauthorized: false })
    : connect(to);
  sockets.push(socket.on('error', () => {}));
  socket.write(Buffer.concat([PREFACE, settingsFrame({})]));
  await once(socket, 'data');
  return socket;
}

overEachStack(() => {
  describe('the stop of a server without calls', () => {
    it.each([
      ['reads and does not close its end', false, false],
      ['does not read', false, true],
      ['reads and does not close its end, over TLS', true, false],
      ['does not read, over TLS', true, true],
    ] as const)('is not held up by a client that %s', async (_, secure, isPaused) => {
      const tls = secure ? { tls: { cert: SERVER_CERT, key: SERVER_KEY } } : {};
      const module = probeApp([ObservableController], tls);
      const { app, stop } = await startHost(module, { http: false, timeout: '8s' });
      const socket = await stubborn(app!.get(GrpcServer).port, secure);
      if (isPaused) socket.pause();
      expect(await stop()).toBeUndefined();
    });
  });

  it('a handshake of TLS that does not end is cut off after 10 s', async () => {
    const module = probeApp([ObservableController], {
      tls: { cert: SERVER_CERT, key: SERVER_KEY },
    });
    const { app } = await startHost(module, { http: false });
    const begun = performance.now();
    const socket = connect(app!.get(GrpcServer).port, '127.0.0.1');
    sockets.push(socket.on('error', () => {}).resume());
    // The head of a record, and no more.
    socket.write(Buffer.from([22, 3, 1, 2, 0]));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(performance.now() - begun).toBeGreaterThan(9_000);
  }, 20_000);
});
