import type { Duration } from '@apix/contracts';
import { Host } from '@apix/hostx/core';
import { startHost } from '@apix/hostx/testing';
import { Server, type ServerUnaryCall, credentials } from '@grpc/grpc-js';
import { describe, expect, it, jest } from '@jest/globals';
import { type AddressInfo, createServer } from 'node:net';
import { call, clientOf, openCall, probe } from '../../../grpc-client/src/client.fixture.js';
import { serviceDefinition } from '../descriptor/service-definition.js';
import {
  CA_CERT,
  SERVER_CERT,
  SERVER_KEY,
} from '../../../grpc-client/src/tls/certificates.fixture.js';
import { type GrpcServerService, grpcServerService } from './grpc-server-service.js';

const [service] = probe.services;
const [Unary] = service!.methods;

type Answer = (error: null, message: object) => void;

/** A server whose unary calls answer when the test says so, or at once. */
class HeldServer extends Server {
  readonly held: (() => void)[] = [];

  constructor(holds = false) {
    super();
    this.addService(serviceDefinition(service!), {
      Unary: ({ request }: ServerUnaryCall<object, object>, answer: Answer) => {
        const end = (): void => answer(null, request);
        if (holds) this.held.push(end);
        else end();
      },
    });
  }
}

const loopback = { host: '127.0.0.1', port: 0, drainDelay: 0 } as const;

function hostOf(service: GrpcServerService, shutdownTimeout: Duration = '5s') {
  return startHost(Host.builder().addService(service).withShutdownTimeout(shutdownTimeout));
}

async function statusOf(addr: string): Promise<string> {
  return (await call(clientOf(addr), Unary, [{}])).status;
}

/** Begins a call and waits until its handler has it. */
async function beginCall(server: HeldServer, addr: string) {
  const { stream, answer } = openCall(clientOf(addr), Unary!);
  stream.end({});
  while (server.held.length === 0) await new Promise((resolve) => setImmediate(resolve));
  return { answer };
}

describe('a grpc-js server of your own', () => {
  it('is ready once it accepts, on a port that the system picks, and has an address only then', async () => {
    const hosted = grpcServerService({ ...loopback, server: new HeldServer() });
    expect([hosted.name, hosted.addr, hosted.port]).toEqual(['grpc', '', 0]);
    const { stop } = await hostOf(hosted);
    expect(hosted.addr).toBe(`127.0.0.1:${hosted.port}`);
    const { addr } = hosted;
    expect(await statusOf(addr)).toBe('OK');
    expect(await stop()).toBeUndefined();
    expect([hosted.addr, await statusOf(addr)]).toEqual(['', 'UNAVAILABLE']);
  });

  it('lets calls under way end when it is stopped, and takes no new ones', async () => {
    const server = new HeldServer(true);
    const hosted = grpcServerService({ ...loopback, server });
    const { stop } = await hostOf(hosted);
    const { addr } = hosted;
    const { answer } = await beginCall(server, addr);
    const stopped = stop();
    expect(await statusOf(addr)).toBe('UNAVAILABLE');
    server.held[0]!();
    expect((await answer).status).toBe('OK');
    expect(await stopped).toBeUndefined();
  });

  it('is stopped by force at the deadline, and says that the graceful shutdown timed out', async () => {
    const server = new HeldServer(true);
    const hosted = grpcServerService({ ...loopback, server });
    const { stop } = await hostOf(hosted, '100ms');
    const { answer } = await beginCall(server, hosted.addr);
    const error = await stop();
    expect((await answer).status).toBe('CANCELLED');
    expect(String(error)).toContain('grpc: graceful shutdown timed out');
  });

  it('serves on for the drain delay, half of the shutdown timeout at most', async () => {
    const hosted = grpcServerService({ ...loopback, drainDelay: '1h', server: new HeldServer() });
    const { stop } = await hostOf(hosted, '500ms');
    const { addr } = hosted;
    const begun = performance.now();
    const stopped = stop();
    expect(await statusOf(addr)).toBe('OK');
    expect(await stopped).toBeUndefined();
    expect(performance.now() - begun).toBeGreaterThan(200);
  });

  it('leaves the drain delay to its host where it is given none', () => {
    const { drainDelay: _, ...rest } = loopback;
    const hosted = grpcServerService({ ...rest, server: new HeldServer() });
    expect(hosted.beginDrain({ defaultDelayMs: 70, skipsDelay: false })).toBe(70);
  });

  it('serves TLS', async () => {
    const tls = { cert: SERVER_CERT, key: SERVER_KEY };
    const hosted = grpcServerService({ ...loopback, tls, server: new HeldServer() });
    await hostOf(hosted);
    const client = clientOf(hosted.addr, credentials.createSsl(Buffer.from(CA_CERT)), {
      'grpc.ssl_target_name_override': 'localhost',
    });
    expect((await call(client, Unary, [{}])).status).toBe('OK');
  });

  it('whose port is taken fails by its name, and is restarted where a policy says so', async () => {
    // grpc-js says it there as well.
    jest.spyOn(console, 'error').mockImplementation(() => {});
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const options = { ...loopback, name: 'api', port };
    await expect(
      hostOf(grpcServerService({ ...options, server: new HeldServer() })),
    ).rejects.toThrow(
      `service api: grpc: cannot listen at 127.0.0.1:${port}; check that no other process uses it`,
    );

    const hosted = grpcServerService({ ...options, server: () => new HeldServer() });
    const restart = { initialDelay: 20 };
    const builder = Host.builder()
      .addService(hosted, { restart })
      .withObserver({ serviceRestarting: () => void other.close() });
    await startHost(builder);
    expect(await statusOf(hosted.addr)).toBe('OK');
  });

  it('is refused with all the mistakes in its options', () => {
    const options = {
      server: {} as Server,
      name: 'api',
      port: -1,
      host: '',
      drainDelay: 'soon',
    };
    expect(() => grpcServerService(options)).toThrow(
      'grpc: service api: 4 mistakes:\n' +
        '  server: must be a Server of grpc-js, or a function that makes one, not an object\n' +
        '  port: must be an integer from 0 to 65535, not -1\n' +
        '  host: must be a non-empty string, not ""\n' +
        '  drainDelay: "soon" is not a valid duration; ' +
        'use milliseconds or a string such as "500ms", "10s" or "1m30s"',
    );
  });

  it('is refused without a name', () => {
    expect(() => grpcServerService({ server: new Server(), name: '' })).toThrow(
      'name: must be a non-empty string, not ""',
    );
  });
});
