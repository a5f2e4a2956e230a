import { Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../../../tools/testing/free-port.js';
import { until } from '../../../../tools/testing/until.js';
import { serviceDefinition } from '../../../grpc/src/descriptor/service-definition.js';
import { type ClientInit, channelOf, createClient, openChannel } from '../client/create-client.js';
import {
  type ProbeHandlers,
  type ProbeService,
  failureOfCall,
  probeClient,
  serveProbe,
} from '../client/probe-service.fixture.js';
import { idempotentProbe } from './idempotent-probe.fixture.js';
import type { RetryOptions } from './retry-options.js';
import { retriesOf } from './service-retries.js';

const AT_ONCE: RetryOptions = { initialBackoff: '1ms' };
const service = idempotentProbe('Unary', 'ServerStream');

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

function clientOf(endpoint: string, init: ClientInit<ProbeService>) {
  const client = createClient(service, {
    ...(init.channel === undefined && { endpoint }),
    ...init,
  });
  open.push(() => void channelOf(client).close());
  return client;
}

/** Fails so many times, and then answers with the number of attempts. */
function failing(
  times: number,
  trailers?: Metadata,
): ProbeHandlers & { readonly seen: Metadata[] } {
  const seen: Metadata[] = [];
  return {
    seen,
    Unary({ metadata }, respond) {
      seen.push(metadata);
      if (seen.length <= times) {
        respond({
          code: status.UNAVAILABLE,
          details: 'not yet',
          ...(trailers && { metadata: trailers }),
        });
      } else respond(null, { int32Value: seen.length });
    },
  };
}

describe('retries of a client', () => {
  it('make a call again until it succeeds, and tell the server which attempt it is', async () => {
    const handlers = failing(3);
    const { endpoint } = await serveProbe(handlers);
    const client = clientOf(endpoint, { retry: AT_ONCE });
    expect((await client.unary({})).int32Value).toBe(4);
    const attempts = handlers.seen.map((each) => each.get('grpc-previous-rpc-attempts')[0]);
    expect(attempts).toEqual([undefined, '1', '2', '3']);
  });

  it('give the caller the last failure, with the text of the server', async () => {
    const handlers = failing(9);
    const { endpoint } = await serveProbe(handlers);
    const client = clientOf(endpoint, {
      methods: { unary: { retry: { ...AT_ONCE, attempts: 2 } } },
    });
    expect(await failureOfCall(client.unary({}))).toMatchObject({
      code: status.UNAVAILABLE,
      message: 'not yet',
    });
    expect(handlers.seen).toHaveLength(2);
  });

  it.each<[string, ClientInit<ProbeService>, number]>([
    ['the client says nothing', {}, 1],
    ['the method says false', { retry: AT_ONCE, methods: { unary: { retry: false } } }, 1],
    [
      'it says not to be idempotent',
      { retry: AT_ONCE, methods: { unary: { idempotent: false } } },
      1,
    ],
    ['its status is not among them', { retry: { ...AT_ONCE, on: ['ABORTED'] } }, 1],
    [
      'it has retries of its own',
      { retry: AT_ONCE, methods: { unary: { retry: { ...AT_ONCE, attempts: 2 } } } },
      2,
    ],
    [
      'the limit is raised',
      {
        retry: { ...AT_ONCE, attempts: 7 },
        channelOptions: { 'grpc-node.retry_max_attempts_limit': 7 },
      },
      7,
    ],
  ])('make a method only as often as they should: %s', async (_, init, attempts) => {
    const handlers = failing(99);
    const { endpoint } = await serveProbe(handlers);
    await failureOfCall(clientOf(endpoint, init).unary({}));
    expect(handlers.seen).toHaveLength(attempts);
  });

  it('leave methods alone that are not idempotent, unless the client says that they are', async () => {
    let calls = 0;
    const { endpoint } = await serveProbe({
      ClientStream(_call, respond) {
        calls += 1;
        respond({ code: status.UNAVAILABLE, details: 'not yet' });
      },
    });
    await failureOfCall(clientOf(endpoint, { retry: AT_ONCE }).clientStream([{}]));
    expect(calls).toBe(1);
    const bold = clientOf(endpoint, {
      retry: AT_ONCE,
      methods: { clientStream: { idempotent: true } },
    });
    await failureOfCall(bold.clientStream([{ stringValue: 'a' }, { stringValue: 'b' }]));
    expect(calls).toBe(5);
  });

  it('never repeat a call whose response has begun', async () => {
    let calls = 0;
    const { endpoint } = await serveProbe({
      ServerStream(call) {
        calls += 1;
        call.write({ int32Value: calls });
        call.emit('error', { code: status.UNAVAILABLE, details: 'lost' });
      },
    });
    const stream = clientOf(endpoint, { retry: AT_ONCE }).serverStream({});
    expect((await stream.next()).value?.int32Value).toBe(1);
    expect(await failureOfCall(stream.next())).toMatchObject({ code: status.UNAVAILABLE });
    expect(calls).toBe(1);
  });

  it('end with the deadline, which holds for all attempts, and with the caller’s signal', async () => {
    const handlers = failing(99);
    const { endpoint } = await serveProbe(handlers);
    const client = clientOf(endpoint, { retry: { initialBackoff: '10m' } });
    expect(await failureOfCall(client.unary({}, { timeout: '100ms' }))).toMatchObject({
      code: status.DEADLINE_EXCEEDED,
    });
    const stop = new AbortController();
    const call = failureOfCall(client.unary({}, { signal: stop.signal }));
    await until(() => handlers.seen.length === 2);
    stop.abort();
    expect(await call).toMatchObject({ code: status.CANCELLED });
    expect(channelOf(client).active).toBe(0);
  });

  it.each([
    ['waits as long as the server asks, and no longer', '1', 2],
    ['stops where the server asks for it', '-1', 1],
  ])('%s (grpc-retry-pushback-ms)', async (_, pushback, attempts) => {
    const trailers = new Metadata();
    trailers.set('grpc-retry-pushback-ms', pushback);
    const handlers = failing(1, trailers);
    const { endpoint } = await serveProbe(handlers);
    const client = clientOf(endpoint, { retry: { initialBackoff: '10m' } });
    await client.unary({}).catch(() => {});
    expect(handlers.seen).toHaveLength(attempts);
  });

  it('stop while too much fails', async () => {
    const handlers = failing(99);
    const { endpoint } = await serveProbe(handlers);
    const retryThrottling = { maxTokens: 4 };
    const client = clientOf(endpoint, { retry: { ...AT_ONCE, attempts: 5 }, retryThrottling });
    await failureOfCall(client.unary({}));
    expect(handlers.seen).toHaveLength(2);
    await failureOfCall(client.unary({}));
    expect(handlers.seen).toHaveLength(3);
  });

  it('do not take the place of waitForReady, which waits for the server to come up', async () => {
    const port = await freePort();
    const client = clientOf(`127.0.0.1:${port}`, {
      retry: AT_ONCE,
      waitForReady: true,
      timeout: '50s',
    });
    const answer = client.unary({});
    await until(() => channelOf(client).state === 'failing');
    const server = new Server();
    server.addService(serviceDefinition(service), { ...failing(1) } as never);
    await new Promise((bound) =>
      server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), bound),
    );
    open.push(() => server.forceShutdown());
    expect((await answer).int32Value).toBe(2);
  });

  it('are set where the channel is opened when clients share it', async () => {
    const handlers = failing(2);
    const { endpoint } = await serveProbe(handlers);
    const channel = openChannel({ endpoint, retries: [retriesOf(service, { retry: AT_ONCE })] });
    expect((await clientOf(endpoint, { channel }).unary({})).int32Value).toBe(3);
  });

  it('do nothing for calls to a server of this process', async () => {
    const handlers = failing(1);
    const server = await serveProbe(handlers);
    const client = probeClient(server, 'in-process', {
      methods: { unary: { retry: AT_ONCE, idempotent: true } },
    });
    await failureOfCall(client.unary({}));
    expect(handlers.seen).toHaveLength(1);
  });
});

describe('hedging of a client', () => {
  it('makes a slow call a second time, takes the first answer and cancels the other call', async () => {
    let calls = 0;
    let cancelled = 0;
    const { endpoint } = await serveProbe({
      Unary(call, respond) {
        calls += 1;
        call.on('cancelled', () => (cancelled += 1));
        if (calls === 2) respond(null, { int32Value: 2 });
      },
    });
    const client = clientOf(endpoint, { hedge: { delay: '20ms' } });
    expect((await client.unary({})).int32Value).toBe(2);
    await until(() => cancelled === 1);
    expect(calls).toBe(2);
  });
});

describe('a service config', () => {
  const UNARY = [{ service: service.typeName, method: 'Unary' }];

  it('repeats calls as it says', async () => {
    const handlers = failing(2);
    const { endpoint } = await serveProbe(handlers);
    const retryPolicy = {
      maxAttempts: 3,
      initialBackoff: '0.001s',
      maxBackoff: '0.1s',
      backoffMultiplier: 2,
      retryableStatusCodes: ['UNAVAILABLE'],
    };
    const serviceConfig = JSON.stringify({ methodConfig: [{ name: UNARY, retryPolicy }] });
    expect((await clientOf(endpoint, { serviceConfig }).unary({})).int32Value).toBe(3);
  });

  it('gives calls the time that it says, fractions of a second too', async () => {
    const { endpoint } = await serveProbe({ Unary() {} });
    const methodConfig = [{ name: UNARY, timeout: '0.25s' }];
    const begun = Date.now();
    const error = await failureOfCall(
      clientOf(endpoint, { serviceConfig: { methodConfig } }).unary({}),
    );
    expect(error).toMatchObject({ code: status.DEADLINE_EXCEEDED });
    expect(Date.now() - begun).toBeGreaterThan(200);
  });
});
