import { encodeBadRequest } from '@apix/calls';
import {
  type CallStage,
  type Code,
  Code as Codes,
  StatusError,
  isStatusError,
} from '@apix/contracts';
import { Metadata } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import { channelOf, createClient, openChannel } from './create-client.js';
import {
  Probe,
  TRANSPORTS,
  failureOfCall,
  probeClient,
  serveProbe,
} from './probe-service.fixture.js';

/** What a caller sees of an error, and where it happened. */
function told(error: Error): readonly [code: Code, message: string] {
  expect(isStatusError(error)).toBe(true);
  return [(error as StatusError).code, error.message];
}

describe.each(TRANSPORTS)('a client, %s,', (transport) => {
  it('makes a unary call', async () => {
    const server = await serveProbe({
      Unary: ({ request }, respond) => respond(null, { stringValue: `got ${request.stringValue}` }),
    });
    const client = probeClient(server, transport);
    const { stringValue } = await client.unary({ stringValue: 'tea' });
    expect(stringValue).toBe('got tea');
  });

  it('sends metadata, and gives headers and trailers to those who ask', async () => {
    const server = await serveProbe({
      Unary: (call, respond) => {
        const headers = new Metadata();
        headers.set('x-seen', call.metadata.get('x-one').concat(call.metadata.get('x-two')).join());
        headers.set('x-bin-seen', String(call.metadata.get('x-raw-bin')[0]));
        call.sendMetadata(headers);
        const trailers = new Metadata();
        trailers.set('x-end', 'yes');
        respond(null, {}, trailers);
      },
    });
    const seen: unknown[] = [];
    await probeClient(server, transport).unary(
      {},
      {
        headers: {
          'x-one': '1',
          'x-two': ['2', '3'],
          'x-raw-bin': Buffer.from('raw'),
          'x-no': undefined,
        },
        onHeaders: (headers) => seen.push(headers.get('x-seen')[0], headers.get('x-bin-seen')[0]),
        onTrailers: (trailers) => seen.push(trailers.get('x-end')[0]),
      },
    );
    expect(seen).toEqual(['1,2, 3', 'raw', 'yes']);
  });

  it('fails with a StatusError that has the details decoded, and the trailers', async () => {
    const details = [
      encodeBadRequest([{ field: 'name', reason: 'empty', description: 'is empty' }]),
    ];
    const stage: CallStage = {
      name: 'deny',
      bind: () => ({
        onCall: () => {
          const trailers = { 'x-why': 'because' };
          throw new StatusError(Codes.NOT_FOUND, 'no such thing', { details, trailers });
        },
      }),
    };
    const server = await serveProbe({}, [stage]);
    const error = await failureOfCall(probeClient(server, transport).unary({}));
    expect(told(error)).toEqual([Codes.NOT_FOUND, 'no such thing']);
    expect((error as StatusError).trailers).toEqual({ 'x-why': 'because' });
    expect((error as StatusError).details).toEqual(details);
    expect((error.cause as Error).message).toMatch(
      /^grpc: \/apix\.testdata\.Probe\/Unary at \S+: NOT_FOUND: no such thing$/,
    );
  });

  it('names the code that waits for the answer in the stack of the error', async () => {
    const server = await serveProbe({
      Unary: (_call, respond) => respond({ code: 5, details: '' }),
    });
    const client = probeClient(server, transport);
    async function whoAsks() {
      await client.unary({});
    }
    expect((await failureOfCall(whoAsks())).stack).toContain('whoAsks');
  });

  it('is cancelled by a signal, whose reason is the cause', async () => {
    let begun = false;
    let cancelled = false;
    const server = await serveProbe({
      Unary: (call) => {
        begun = true;
        call.on('cancelled', () => (cancelled = true));
      },
    });
    const stop = new AbortController();
    const call = failureOfCall(
      probeClient(server, transport).unary({}, { signal: stop.signal, timeout: '1m' }),
    );
    // A call that is cancelled before it has left never reaches the server.
    await until(() => begun);
    stop.abort(new Error('enough'));
    const error = await call;
    expect(told(error)).toEqual([Codes.CANCELLED, 'the call was cancelled']);
    expect((error.cause as Error).cause).toBe(stop.signal.reason);
    await until(() => cancelled);
  });

  it('makes no call for a signal that has aborted, and leaves nothing on one that has not', async () => {
    let calls = 0;
    const server = await serveProbe({
      Unary: (_call, respond) => {
        calls += 1;
        respond(null, {});
      },
    });
    const client = probeClient(server, transport);
    const error = await failureOfCall(client.unary({}, { signal: AbortSignal.abort() }));
    expect([told(error)[0], calls]).toEqual([Codes.CANCELLED, 0]);
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners.add(args[1]);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners.delete(args[1]);
      remove(...args);
    };
    await client.unary({}, { signal });
    expect([calls, listeners.size]).toEqual([1, 0]);
  });

  it('ends at its timeout, which is sent to the server', async () => {
    let left = 0;
    const server = await serveProbe({
      Unary: (call) => {
        left = Number(call.getDeadline()) - Date.now();
      },
    });
    const client = probeClient(server, transport, { methods: { unary: { timeout: '300ms' } } });
    const error = await failureOfCall(client.unary({}));
    // By the client, or by the server, whose own time may end first.
    const said = expect.stringMatching(/^[Dd]eadline exceeded$/);
    expect(told(error)).toEqual([Codes.DEADLINE_EXCEEDED, said]);
    expect(left).toBeLessThanOrEqual(300);
    const own = await failureOfCall(client.unary({}, { signal: AbortSignal.timeout(20) }));
    expect(told(own)[0]).toBe(Codes.DEADLINE_EXCEEDED);
    const none = await failureOfCall(client.unary({}, { timeout: 0 }));
    expect(told(none)[0]).toBe(Codes.DEADLINE_EXCEEDED);
  });

  it('refuses a request that its type cannot hold before anything is sent', async () => {
    const server = await serveProbe({ Unary: (_call, respond) => respond(null, {}) });
    const error = await failureOfCall(
      probeClient(server, transport).unary({ int32Value: 1.5, child: [] as never }),
    );
    expect(told(error)).toEqual([Codes.INTERNAL, 'internal error']);
    expect((error.cause as Error).message).toContain(
      'the request cannot be sent: apix.testdata.Kinds.child: expected a message',
    );
    const value = await failureOfCall(probeClient(server, transport).unary({ int32Value: 1.5 }));
    expect(told(value)).toEqual([Codes.INTERNAL, 'internal error']);
    expect((value.cause as Error).message).toContain('int32Value: expected an integer');
  });

  it('survives what its listeners throw', async () => {
    const server = await serveProbe({
      Unary: (call, respond) => {
        call.sendMetadata(new Metadata());
        respond(null, {});
      },
    });
    const client = probeClient(server, transport);
    const thrown = new Error('mine');
    const onHeaders = (): never => {
      throw thrown;
    };
    expect(await failureOfCall(client.unary({}, { onHeaders }))).toBe(thrown);
    expect(await failureOfCall(client.unary({}, { onTrailers: onHeaders }))).toBe(thrown);
  });

  it('waits for its calls when it is closed, and makes no further ones', async () => {
    let answer: (() => void) | undefined;
    const server = await serveProbe({
      Unary: (_call, respond) => (answer = () => respond(null, { stringValue: 'late' })),
    });
    const client = probeClient(server, transport);
    const first = client.unary({});
    await until(() => answer !== undefined);
    const closing = channelOf(client).close();
    const error = await failureOfCall(client.unary({}));
    expect(told(error)).toEqual([Codes.UNAVAILABLE, 'the service is unavailable']);
    answer!();
    expect((await first).stringValue).toBe('late');
    expect(await closing).toBe(0);
    expect(channelOf(client).state).toBe('closed');
  });

  it('cancels what is left at the deadline of its close', async () => {
    const server = await serveProbe({ Unary: () => {} });
    const client = probeClient(server, transport);
    const call = failureOfCall(client.unary({}));
    const closed = channelOf(client).close({ signal: AbortSignal.abort(), remainingMs: () => 0 });
    expect(told(await call)[0]).toBe(Codes.CANCELLED);
    expect(await closed).toBe(1);
  });
});

describe('a client of nobody', () => {
  it('fails at once, with where it wanted to go in the cause alone', async () => {
    const client = createClient(Probe, { endpoint: '127.0.0.1:1' });
    const error = await failureOfCall(client.unary({}));
    expect(told(error)).toEqual([Codes.UNAVAILABLE, 'the service is unavailable']);
    expect((error.cause as Error).message).toContain('127.0.0.1:1');
    expect(channelOf(client).state).toBe('failing');
    await channelOf(client).close();
  });

  it('waits for a server with waitForReady', async () => {
    const server = await serveProbe({ Unary: (_call, respond) => respond(null, {}) });
    const { endpoint } = server;
    server.close();
    const client = createClient(Probe, { endpoint, waitForReady: true, timeout: '200ms' });
    const error = await failureOfCall(client.unary({}));
    expect(told(error)[0]).toBe(Codes.DEADLINE_EXCEEDED);
    await expect(channelOf(client).waitForReady('50ms')).rejects.toThrow(
      `grpc: no connection to ${endpoint} in time`,
    );
    await channelOf(client).close();
  });
});

describe('the options of a client', () => {
  it.each<[string, () => unknown, string]>([
    ['no server', () => openChannel({}), 'endpoint: missing; set it to the host:port to call'],
    [
      'two servers',
      () => openChannel({ endpoint: 'a:1', server: {} as never }),
      'server: cannot be combined with endpoint; a client calls one of them',
    ],
    [
      'a channel and a server',
      () => createClient(Probe, { endpoint: 'a:1', channel: openChannel({ endpoint: 'a:1' }) }),
      'channel: cannot be combined with endpoint or server; a client calls one of them',
    ],
    [
      'a method that the service does not have',
      () => createClient(Probe, { endpoint: 'a:1', methods: { unry: {} } as never }),
      'methods.unry: apix.testdata.Probe has no such method; did you mean unary?',
    ],
    [
      'a timeout of nothing',
      () => createClient(Probe, { endpoint: 'a:1', timeout: '0' }),
      'timeout: must be greater than 0',
    ],
  ])('refuse %s', (_, make, message) => {
    expect(make).toThrow(message);
  });

  it('share a channel among clients', async () => {
    const server = await serveProbe({ Unary: (_call, respond) => respond(null, {}) });
    const channel = openChannel({ endpoint: server.endpoint });
    const [one, two] = [createClient(Probe, { channel }), createClient(Probe, { channel })];
    await Promise.all([one.unary({}), two.unary({})]);
    expect([channelOf(one), channelOf(two)]).toEqual([channel, channel]);
    expect(channel.state).toBe('ready');
    await channel.close();
  });
});
