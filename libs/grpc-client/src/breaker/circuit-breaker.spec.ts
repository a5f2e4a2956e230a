import type { MetricReading } from '@apix/contracts';
import { status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import {
  type ProbeHandlers,
  TRANSPORTS,
  failureOfCall,
  probeClient,
  serveProbe,
} from '../client/probe-service.fixture.js';
import type { ClientStage } from '../stages/client-stage.js';
import type { CircuitBreakerOptions } from './breaker-options.js';
import { circuitBreaker } from './circuit-breaker.js';

const QUICK: CircuitBreakerOptions = { window: 4, minCalls: 2, openFor: '10m' };

/** A server whose behaviour changes, and what it was asked. */
function moody(code: status | 'silent' = status.UNAVAILABLE) {
  const mood = { code, calls: 0 };
  const handlers: ProbeHandlers = {
    Unary(_call, respond) {
      mood.calls += 1;
      if (mood.code === 'silent') return;
      if (mood.code === status.OK) respond(null, {});
      else respond({ code: mood.code, details: 'no' });
    },
    ServerStream(call) {
      mood.calls += 1;
      if (mood.code === status.OK) call.write({});
      else call.emit('error', { code: mood.code, details: 'no' });
    },
  };
  return { mood, handlers };
}

const states = (breaker: ClientStage): readonly number[] =>
  [...breaker.metrics!()].filter(({ name }) => name.endsWith('.state')).map(({ value }) => value);

const refused = (breaker: ClientStage): MetricReading | undefined =>
  [...breaker.metrics!()].find(({ name }) => name === 'apix.grpc.client.circuit.refused');

/** Until a circuit that was opened for a millisecond lets a probe through. */
async function probeIsDue(): Promise<void> {
  const begun = Date.now();
  await until(() => Date.now() > begun + 1);
}

describe.each(TRANSPORTS)('a circuit breaker, %s,', (transport) => {
  it('refuses calls once too many have failed, and says so', async () => {
    const { mood, handlers } = moody();
    const breaker = circuitBreaker(QUICK);
    const client = probeClient(await serveProbe(handlers), transport, { stages: [breaker] });
    expect(breaker.healthChecks!()).toEqual([]);
    for (let call = 0; call < 2; call++) await failureOfCall(client.unary({}));
    const error = await failureOfCall(client.unary({}));
    expect(error).toMatchObject({
      code: status.UNAVAILABLE,
      message: 'the circuit is open: too many calls failed; try again later',
    });
    expect((error.cause as Error).message).toMatch(
      /^grpc: \/apix\.testdata\.Probe\/Unary at .+: the circuit is open$/,
    );
    expect(mood.calls).toBe(2);
    expect(states(breaker)).toEqual([2]);
    expect(refused(breaker)).toMatchObject({ kind: 'counter', value: 1 });
    const [check] = breaker.healthChecks!();
    expect(check).toMatchObject({ affects: 'ready' });
    expect(() => check!.check(new AbortController().signal)).toThrow('is open: too many calls');
  });

  it.each<[string, CircuitBreakerOptions, number]>([
    ['ten calls by default', {}, 10],
    ['as many as are looked at where these are fewer', { window: 3 }, 3],
  ])('lets calls fail before there are %s', async (_what, options, calls) => {
    const { mood, handlers } = moody();
    const breaker = circuitBreaker({ ...options, openFor: '10m' });
    const client = probeClient(await serveProbe(handlers), transport, { stages: [breaker] });
    for (let call = 1; call <= calls; call++) {
      expect(states(breaker)).not.toContain(2);
      await failureOfCall(client.unary({}));
    }
    expect([mood.calls, states(breaker)]).toEqual([calls, [2]]);
  });

  it('closes when a probe works, and stays open when it does not', async () => {
    const { mood, handlers } = moody();
    const breaker = circuitBreaker({ ...QUICK, openFor: 1 });
    const client = probeClient(await serveProbe(handlers), transport, { stages: [breaker] });
    for (let call = 0; call < 2; call++) await failureOfCall(client.unary({}));
    await probeIsDue();
    await failureOfCall(client.unary({}));
    expect([mood.calls, states(breaker)]).toEqual([3, [2]]);
    mood.code = status.OK;
    await probeIsDue();
    await client.unary({});
    await until(() => states(breaker)[0] === 0);
    await client.unary({});
    expect(mood.calls).toBe(5);
  });

  it('refuses all but the probe, which has a time to be answered in', async () => {
    const { mood, handlers } = moody();
    const breaker = circuitBreaker({ ...QUICK, openFor: 1, probeTimeout: '100ms' });
    const client = probeClient(await serveProbe(handlers), transport, { stages: [breaker] });
    for (let call = 0; call < 2; call++) await failureOfCall(client.unary({}));
    mood.code = 'silent';
    await probeIsDue();
    const stop = new AbortController();
    const probe = failureOfCall(client.unary({}, { signal: stop.signal }));
    expect(states(breaker)).toEqual([1]);
    expect((await failureOfCall(client.unary({}))).message).toContain('the circuit is open');
    await until(() => states(breaker)[0] === 2);
    stop.abort();
    expect(await probe).toMatchObject({ code: status.CANCELLED });
  });

  it('stays open when a probe is cancelled by its caller', async () => {
    const { mood, handlers } = moody();
    const breaker = circuitBreaker({ ...QUICK, openFor: 1 });
    const client = probeClient(await serveProbe(handlers), transport, { stages: [breaker] });
    for (let call = 0; call < 2; call++) await failureOfCall(client.unary({}));
    mood.code = 'silent';
    await probeIsDue();
    const stop = new AbortController();
    const probe = failureOfCall(client.unary({}, { signal: stop.signal }));
    stop.abort();
    await probe;
    await until(() => states(breaker)[0] === 2);
  });

  it('is well again when a probe is due, so that traffic comes that can be one', async () => {
    const { handlers } = moody();
    const breaker = circuitBreaker({ ...QUICK, openFor: 1 });
    const client = probeClient(await serveProbe(handlers), transport, { stages: [breaker] });
    for (let call = 0; call < 2; call++) await failureOfCall(client.unary({}));
    await probeIsDue();
    expect(states(breaker)).toEqual([2]);
    const [check] = breaker.healthChecks!();
    expect(() => check!.check(new AbortController().signal)).not.toThrow();
  });

  it('takes the beginning of a stream for the answer to a probe', async () => {
    const { mood, handlers } = moody();
    const breaker = circuitBreaker({ ...QUICK, openFor: 1 });
    const client = probeClient(await serveProbe(handlers), transport, { stages: [breaker] });
    for (let call = 0; call < 2; call++) await failureOfCall(client.serverStream({}).next());
    mood.code = status.OK;
    await probeIsDue();
    const stream = client.serverStream({});
    await stream.next();
    await until(() => states(breaker)[0] === 0);
    await stream.return?.();
  });

  it.each([status.INVALID_ARGUMENT, status.NOT_FOUND, status.UNAUTHENTICATED, status.INTERNAL])(
    'takes the status %i for an answer of a server that works',
    async (code) => {
      const { mood, handlers } = moody(code);
      const client = probeClient(await serveProbe(handlers), transport, {
        stages: [circuitBreaker(QUICK)],
      });
      for (let call = 0; call < 6; call++) await failureOfCall(client.unary({}));
      expect(mood.calls).toBe(6);
    },
  );

  it('counts a call that its caller cancels neither way', async () => {
    const { mood, handlers } = moody('silent');
    const breaker = circuitBreaker(QUICK);
    const client = probeClient(await serveProbe(handlers), transport, { stages: [breaker] });
    for (let call = 0; call < 4; call++) {
      const stop = new AbortController();
      const cancelled = failureOfCall(client.unary({}, { signal: stop.signal }));
      await until(() => mood.calls === call + 1);
      stop.abort();
      await cancelled;
    }
    mood.code = status.UNAVAILABLE;
    for (let call = 0; call < 2; call++) await failureOfCall(client.unary({}));
    expect(states(breaker)).toEqual([2]);
  });

  it('has a circuit for each method with per: method', async () => {
    const { mood, handlers } = moody();
    const breaker = circuitBreaker({ ...QUICK, per: 'method' });
    const client = probeClient(await serveProbe(handlers), transport, { stages: [breaker] });
    for (let call = 0; call < 2; call++) await failureOfCall(client.unary({}));
    mood.code = status.OK;
    await client.serverStream({}).next();
    expect((await failureOfCall(client.unary({}))).message).toContain('the circuit is open');
    expect(states(breaker)).toEqual([2, 0]);
  });
});

describe('the options of a circuit breaker', () => {
  it('are checked all at once', () => {
    const make = (): unknown =>
      circuitBreaker({
        per: 'host' as never,
        window: 0,
        minCalls: 30,
        threshold: 1,
        openFor: 0,
        failures: ['CANCELLED', 'UNAVAILIBLE'] as never,
      });
    expect(make).toThrow(/^grpc: 7 mistakes:/);
    expect(make).toThrow(
      'circuitBreaker.threshold: must be less than 1, or the circuit never opens',
    );
    expect(make).toThrow('CANCELLED says nothing about the server; remove it');
    expect(make).toThrow('did you mean UNAVAILABLE?');
  });
});
