import { deadlineAfter } from '@apix/contracts';
import { Server } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type BoundSocket, boundSocket } from '../../../hostx/src/http/bound-socket.fixture.js';
import { call, clientOf, probe } from '../client.fixture.js';
import { serviceDefinition } from '../descriptor/service-definition.js';
import { bind, bindSocket } from './bind.js';
import { drain } from './drain.js';
import { resolveGrpcOptions } from './grpc-options.js';

const [service] = probe.services;
const [Unary] = service!.methods;
const settings = resolveGrpcOptions({ host: '127.0.0.1', port: 0 });

function probeServer(): Server {
  const server = new Server();
  server.addService(serviceDefinition(service!), {
    Unary: (_: unknown, answer: (error: null, message: object) => void) => answer(null, {}),
  });
  return server;
}

describe('a socket that was passed to the process', () => {
  let socket: BoundSocket;
  beforeEach(() => void (socket = boundSocket()));
  afterEach(() => socket.close());

  it('is served, and let go before the server shuts down', async () => {
    const server = probeServer();
    const { fd } = socket;
    const { port, stopAccepting } = await bindSocket(server, settings, { fd, name: 'grpc' });
    expect(port).toBe(socket.port);
    const client = clientOf(`127.0.0.1:${port}`);
    expect((await call(client, Unary, [{}])).status).toBe('OK');

    stopAccepting();
    const deadline = deadlineAfter(5_000);
    await drain(server, deadline);
    deadline.dispose();
    expect((await call(client, Unary, [{}])).status).toBe('UNAVAILABLE');
  });

  it('is a mistake where it is none', async () => {
    await expect(bindSocket(probeServer(), settings, { fd: 9_999, name: 'grpc' })).rejects.toThrow(
      /^grpc: cannot listen on the activated socket grpc \(fd 9999\): /,
    );
  });
});

it('a socket that is asked for by name has to be there', async () => {
  const options = { ...settings, activation: 'shop' };
  await expect(bind(probeServer(), options)).rejects.toThrow(
    'grpc: no socket called shop was passed to this process',
  );
});
