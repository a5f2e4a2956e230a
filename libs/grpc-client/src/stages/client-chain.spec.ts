import { Code, StatusError } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { channelOf } from '../client/create-client.js';
import {
  type ProbeHandlers,
  TRANSPORTS,
  failureOfCall,
  probeClient,
  serveProbe,
} from '../client/probe-service.fixture.js';
import type { BoundClientStage, ClientStage } from './client-stage.js';

const stage = (name: string, bound: BoundClientStage): ClientStage => ({ name, bind: () => bound });

const answerWithMetadata: ProbeHandlers = {
  Unary: ({ metadata }, respond) => respond(null, { stringValue: String(metadata.get('x-stage')) }),
};

describe.each(TRANSPORTS)('the stages of a client, %s,', (transport) => {
  it('run in their order, and see the end in reverse order', async () => {
    const server = await serveProbe(answerWithMetadata);
    const log: string[] = [];
    const noting = (name: string): ClientStage =>
      stage(name, {
        onCall: async ({ metadata, method }) => {
          await Promise.resolve();
          log.push(`${name} ${method.name}`);
          metadata.add('x-stage', name);
        },
        onEnd: (_call, { code }) => void log.push(`${name} ${Code[code]}`),
      });
    const stages = [noting('a'), noting('b')];
    const { stringValue } = await probeClient(server, transport, { stages }).unary({});
    expect(stringValue).toBe('a, b');
    expect(log).toEqual(['a Unary', 'b Unary', 'b OK', 'a OK']);
  });

  it('can refuse a call, and the stages before them see its end', async () => {
    const server = await serveProbe({});
    const refusal = new StatusError(Code.UNAVAILABLE, 'the circuit is open');
    const ends: string[] = [];
    const onEnd: BoundClientStage['onEnd'] = (_call, { code, error }) =>
      void ends.push(`${Code[code]} ${String(error === refusal)}`);
    const client = probeClient(server, transport, {
      stages: [
        stage('outer', { onEnd }),
        stage('breaker', {
          onCall: () => {
            throw refusal;
          },
          onEnd,
        }),
      ],
    });
    expect(await failureOfCall(client.unary({}))).toBe(refusal);
    expect(ends).toEqual(['UNAVAILABLE true']);
    expect(channelOf(client).active).toBe(0);
  });

  it('bring a deadline forward', async () => {
    const server = await serveProbe({ Unary: () => {} });
    const hurry = stage('hurry', {
      onCall(call) {
        call.deadline = Date.now() + 50;
      },
    });
    const error = await failureOfCall(
      probeClient(server, transport, { stages: [hurry] }).unary({}),
    );
    expect(error).toMatchObject({ code: Code.DEADLINE_EXCEEDED });
  });

  it('that wait do not have a call that was made said to have run out of time before', async () => {
    const server = await serveProbe({ Unary: () => {} });
    const waiting = stage('waiting', { onCall: () => Promise.resolve() });
    const error = await failureOfCall(
      probeClient(server, transport, { stages: [waiting], timeout: '100ms' }).unary({}),
    );
    expect(error).toMatchObject({ code: Code.DEADLINE_EXCEEDED });
    expect(String(error.cause)).not.toContain('before the call was made');
  });

  it('change nothing of a call by what they throw at its end', async () => {
    const server = await serveProbe(answerWithMetadata);
    const broken = stage('broken', {
      onEnd: () => {
        throw new Error('mine');
      },
    });
    const { stringValue } = await probeClient(server, transport, { stages: [broken] }).unary({});
    expect(stringValue).toBe('');
  });
});

describe('a service config of grpc-js', () => {
  it('has calls tried again that no handler has begun to answer', async () => {
    let calls = 0;
    const server = await serveProbe({
      Unary: (_call, respond) => {
        calls += 1;
        if (calls < 3) respond({ code: 14, details: 'not yet' });
        else respond(null, { int32Value: calls });
      },
    });
    const retryPolicy = {
      maxAttempts: 4,
      initialBackoff: '0.01s',
      maxBackoff: '0.1s',
      backoffMultiplier: 2,
      retryableStatusCodes: ['UNAVAILABLE'],
    };
    const config = { methodConfig: [{ name: [{ service: 'apix.testdata.Probe' }], retryPolicy }] };
    const client = probeClient(server, 'network', {
      channelOptions: { 'grpc.service_config': JSON.stringify(config) },
    });
    expect((await client.unary({})).int32Value).toBe(3);
  });
});
