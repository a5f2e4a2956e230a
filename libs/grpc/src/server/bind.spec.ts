import { deadlineAfter } from '@apix/contracts';
import { once } from 'node:events';
import { Server, type ServerWritableStream } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type BoundSocket, boundSocket } from '../../../hostx/src/http/bound-socket.fixture.js';
import { call, clientOf, openCall, probe } from '../../../grpc-client/src/client.fixture.js';
import { serviceDefinition } from '../descriptor/service-definition.js';
import { bind, bindSocket } from './bind.js';
import { drain, listeningServer } from './drain.js';
import { resolveGrpcOptions } from './grpc-options.js';

const [service] = probe.services;
const [Unary] = service!.methods;
const ServerStream = service!.methods.find(({ name }) => name === 'ServerStream');
const settings = resolveGrpcOptions({ host: '127.0.0.1', port: 0 });

const passed = (fd: number) => ({ target: { fd }, failure: `cannot listen on fd ${fd}` });

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
    const listener = await bindSocket(server, settings, passed(fd));
    const { port } = listener;
    expect(port).toBe(socket.port);
    const client = clientOf(`127.0.0.1:${port}`);
    expect((await call(client, Unary, [{}])).status).toBe('OK');

    const deadline = deadlineAfter(5_000);
    await drain(listeningServer(server, listener), deadline);
    deadline.dispose();
    expect((await call(client, Unary, [{}])).status).toBe('UNAVAILABLE');
  });

  it('has the calls under way on it awaited', async () => {
    let end = (): void => {};
    const server = new Server();
    server.addService(serviceDefinition(service!), {
      ServerStream: (call: ServerWritableStream<unknown, object>) => {
        call.write({ stringValue: 'first' });
        end = () => {
          call.write({ stringValue: 'last' });
          call.end();
        };
      },
    });
    const { fd } = socket;
    const listener = await bindSocket(server, settings, passed(fd));
    const { stream, answer } = openCall(clientOf(`127.0.0.1:${listener.port}`), ServerStream!);
    stream.write({});
    stream.end();
    await once(stream, 'data');

    const deadline = deadlineAfter(5_000);
    let isDrained = false;
    const drained = drain(listeningServer(server, listener), deadline).then(
      () => (isDrained = true),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isDrained).toBe(false);
    end();
    await drained;
    deadline.dispose();
    const { status, messages } = await answer;
    expect([status, messages]).toMatchObject([
      'OK',
      [{ stringValue: 'first' }, { stringValue: 'last' }],
    ]);
  });

  it('is a mistake where it is none', async () => {
    await expect(bindSocket(probeServer(), settings, passed(9_999))).rejects.toThrow(
      /^grpc: cannot listen on fd 9999: /,
    );
  });
});

it('a socket that is asked for by name has to be there', async () => {
  const options = { ...settings, activation: 'shop' };
  await expect(bind(probeServer(), options)).rejects.toThrow(
    'grpc: activation: this process got no socket named "shop"',
  );
});
