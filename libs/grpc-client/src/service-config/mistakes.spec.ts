import { describe, expect, it } from '@jest/globals';
import type { GrpcSetupError } from '../errors.js';
import { type ClientInit, channelOf, createClient, openChannel } from '../client/create-client.js';
import { Probe, type ProbeService } from '../client/probe-service.fixture.js';
import { idempotentProbe } from './idempotent-probe.fixture.js';
import { retriesOf } from './service-retries.js';

const service = idempotentProbe('Unary');
const endpoint = '127.0.0.1:1';
type Init = ClientInit<ProbeService>;

function mistakesOf(init: Init, of = service): readonly string[] {
  try {
    void channelOf(createClient(of, { endpoint, ...init })).close();
    return [];
  } catch (error) {
    return (error as GrpcSetupError).mistakes;
  }
}

/** A service config with one entry for the whole service. */
function raw(entry: object, more: object = {}): Init {
  return {
    serviceConfig: { methodConfig: [{ name: [{ service: Probe.typeName }], ...entry }], ...more },
  };
}

const POLICY = {
  maxAttempts: 3,
  initialBackoff: '0.1s',
  maxBackoff: '1s',
  backoffMultiplier: 2,
  retryableStatusCodes: ['UNAVAILABLE'],
};
const UNARY = { name: [{ service: Probe.typeName, method: 'Unary' }] };

describe('retries that a client asks for', () => {
  it.each<[string, Init, readonly string[]]>([
    [
      'more attempts than grpc-js makes',
      { retry: { attempts: 6 } },
      [
        'retry.attempts: grpc-js makes at most 5 attempts, not 6; lower it, or raise grpc-node.retry_max_attempts_limit of channelOptions',
      ],
    ],
    [
      'one attempt',
      { retry: { attempts: 1 } },
      ['retry.attempts: must be an integer of at least 2, not 1'],
    ],
    [
      'codes that there are not',
      { retry: { on: ['UNAVAILIBLE', 'OK', 14] as never } },
      [
        'retry.on[0]: "UNAVAILIBLE" is not the status of a failed call; did you mean UNAVAILABLE?',
        'retry.on[1]: "OK" is not the status of a failed call; use one such as UNAVAILABLE',
        'retry.on[2]: 14 is not the status of a failed call; use one such as UNAVAILABLE',
      ],
    ],
    [
      'no codes',
      { retry: { on: [] } },
      ['retry.on: must be an array of statuses such as ["UNAVAILABLE"]'],
    ],
    [
      'a first pause above the longest',
      { retry: { initialBackoff: '2s', maxBackoff: '1s' } },
      ['retry.initialBackoff: must not be longer than maxBackoff'],
    ],
    [
      'a shrinking pause',
      { retry: { multiplier: 0.5 } },
      ['retry.multiplier: must be a number of at least 1, not 0.5'],
    ],
    ['no object', { retry: true as never }, ['retry: must be false or an object, not true']],
    ['both kinds', { retry: {}, hedge: { delay: 1 } }, ['retry and hedge: use only one of them']],
    [
      'hedges without a delay',
      { hedge: {} as never },
      ['hedge.delay: missing; set it to how long an answer usually takes at most'],
    ],
    [
      'a method that may not be repeated',
      { methods: { bidiStream: { retry: {} } } },
      [
        'methods.bidiStream.retry: apix.testdata.Probe/BidiStream is not declared idempotent, so a second attempt might do its work twice; set idempotency_level in its proto, or idempotent: true for the method',
      ],
    ],
    [
      'a method that says so itself',
      { methods: { unary: { idempotent: false, hedge: { delay: 1 } } } },
      ['methods.unary.hedge: cannot be combined with idempotent: false'],
    ],
    [
      'a method that there is not',
      { methods: { unarry: { retry: {} } } as never },
      ['methods.unarry: apix.testdata.Probe has no such method; did you mean unary?'],
    ],
    [
      'everything at once, with the rest',
      { timeout: 'x', retry: { attempts: 0 }, balance: 'x' as never, tls: 1 as never },
      [
        'timeout: "x" is not a valid duration; use milliseconds or a string such as "500ms", "10s" or "1m30s"',
        'retry.attempts: must be an integer of at least 2, not 0',
        'balance: must be one of "pick_first", "round_robin", not "x"',
        'tls: must be true, false or an object, not 1',
      ],
    ],
    [
      'retries switched off',
      { retry: {}, channelOptions: { 'grpc.enable_retries': 0 } },
      ['channelOptions: grpc.enable_retries is 0, so that no call would be retried'],
    ],
    [
      'a second service config',
      { retry: {}, channelOptions: { 'grpc.service_config': '{}' } },
      [
        'channelOptions: grpc.service_config would be replaced; use the option serviceConfig for it',
      ],
    ],
    [
      'throttling by nothing',
      { retryThrottling: { maxTokens: 0, tokenRatio: 0 } },
      [
        'retryThrottling.maxTokens: must be a number from 1 to 1000, not 0',
        'retryThrottling.tokenRatio: must be a number of at least 0.001, not 0',
      ],
    ],
    [
      'outliers of one address',
      { balance: { policy: 'pick_first', outlierDetection: { failures: {} } } },
      [
        'balance.outlierDetection: needs the policy round_robin; with pick_first there is one address to compare',
      ],
    ],
    [
      'outliers by nothing',
      { balance: { outlierDetection: { maxEjectionPercent: 101 } } },
      [
        'balance.outlierDetection.maxEjectionPercent: must be a number from 0 to 100, not 101',
        'balance.outlierDetection: set failures or successRate; without one nothing is compared',
      ],
    ],
    [
      'outliers by no evidence',
      {
        balance: {
          outlierDetection: {
            failures: { percent: -1, minHosts: 0, minCalls: 0 },
            successRate: { deviations: -1, minHosts: 0, minCalls: 0 },
          },
        },
      },
      [
        'balance.outlierDetection.failures.percent: must be a number from 0 to 100, not -1',
        'balance.outlierDetection.failures.minHosts: must be an integer of at least 1, not 0',
        'balance.outlierDetection.failures.minCalls: must be an integer of at least 1, not 0',
        'balance.outlierDetection.successRate.deviations: must be a number of at least 0, not -1',
        'balance.outlierDetection.successRate.minHosts: must be an integer of at least 1, not 0',
        'balance.outlierDetection.successRate.minCalls: must be an integer of at least 1, not 0',
      ],
    ],
    [
      'an interval that grpc-js does not take',
      { balance: { outlierDetection: { interval: 1e15, failures: {} } } },
      [expect.stringMatching(/^balance: grpc-js cannot use it: .*interval/) as never],
    ],
  ])('are refused at the start: %s', (_, init, mistakes) => {
    expect(mistakesOf(init)).toEqual(mistakes);
  });

  it('are refused for a service of which nothing may be repeated', () => {
    expect(mistakesOf({ retry: {} }, Probe)).toEqual([
      'retry: no method of apix.testdata.Probe is declared idempotent; set idempotency_level in its ' +
        'proto, or idempotent: true for single methods',
    ]);
    expect(mistakesOf({ retry: {}, methods: { unary: { idempotent: true } } }, Probe)).toEqual([]);
  });

  it('are refused over a channel that is shared, which has its own', async () => {
    const channel = openChannel({ endpoint });
    const init: Init = { endpoint: undefined, channel, retry: {}, balance: 'round_robin' };
    expect(mistakesOf(init)).toEqual([
      'balance: cannot be combined with channel; set it in openChannel',
      'channel: its retries are not those of a client; use openChannel({ retries: [retriesOf(Probe, …)] })',
    ]);
    await channel.close();
  });

  it('are refused where they stand twice, or name no method', () => {
    const twice = retriesOf(service, { retry: {} });
    const misspelt = retriesOf(service, { methods: { unarry: {} } as never });
    expect(() => openChannel({ endpoint, retries: [twice, twice, misspelt] })).toThrow(
      /retries\[1\]: apix\.testdata\.Probe has retries already\n  retries\[2\]\.methods\.unarry: apix/,
    );
  });
});

describe('a service config', () => {
  it.each<[string, Init, readonly string[]]>([
    [
      'that is no JSON',
      { serviceConfig: '{' },
      [expect.stringMatching(/^serviceConfig: not JSON: /) as never],
    ],
    [
      'that is no object',
      { serviceConfig: '[]' },
      ['serviceConfig: must be an object, not an array'],
    ],
    [
      'next to other options',
      { serviceConfig: {}, balance: 'round_robin', retry: {} },
      ['serviceConfig: cannot be combined with retry or hedge, balance; use only one of them'],
    ],
    [
      'whose entries are no list',
      { serviceConfig: { methodConfig: {} } },
      ['serviceConfig.methodConfig: must be an array, not an object'],
    ],
    [
      'with what grpc-js ignores',
      {
        serviceConfig: {
          methodConfig: [{ ...UNARY, waitForReady: true, maxRequestMessageBytes: 1 }],
          healthCheckConfig: {},
        },
      },
      [
        'serviceConfig.healthCheckConfig: grpc-js ignores it',
        'serviceConfig.methodConfig[0].waitForReady: grpc-js ignores it; use the option waitForReady',
        'serviceConfig.methodConfig[0].maxRequestMessageBytes: grpc-js ignores it',
      ],
    ],
    [
      'with a method that there is not',
      {
        serviceConfig: { methodConfig: [{ name: [{ service: Probe.typeName, method: 'unary' }] }] },
      },
      [
        'serviceConfig.methodConfig[0].name: apix.testdata.Probe has no method "unary"; it has Unary, ServerStream, ClientStream, BidiStream',
      ],
    ],
    [
      'without names of methods',
      {
        serviceConfig: {
          methodConfig: [{ retryPolicy: POLICY }, { name: [] }, { name: Probe.typeName }],
        },
      },
      [0, 1, 2].map(
        (at) => `serviceConfig.methodConfig[${at}].name: must be an array of { service, method }`,
      ),
    ],
    [
      'with a name twice',
      { serviceConfig: { methodConfig: [UNARY, UNARY] } },
      ['serviceConfig.methodConfig[1].name: "apix.testdata.Probe/Unary" is listed twice'],
    ],
    [
      'with numbers out of range',
      {
        serviceConfig: {
          methodConfig: [
            {
              ...UNARY,
              timeout: '1m',
              retryPolicy: {
                ...POLICY,
                maxAttempts: 9,
                initialBackoff: '0s',
                retryableStatusCodes: ['unavailable'],
              },
            },
          ],
        },
      },
      [
        'serviceConfig.methodConfig[0].timeout: must be a duration such as "0.1s", not "1m"',
        'serviceConfig.methodConfig[0].retryPolicy.maxAttempts: grpc-js makes at most 5 attempts, not 9; lower it, or raise grpc-node.retry_max_attempts_limit of channelOptions',
        'serviceConfig.methodConfig[0].retryPolicy.initialBackoff: must be a duration such as "0.1s", not "0s"',
        'serviceConfig.methodConfig[0].retryPolicy.retryableStatusCodes[0]: "unavailable" is not the status of a failed call; did you mean UNAVAILABLE?',
      ],
    ],
    [
      'with balancers that there are not',
      {
        serviceConfig: {
          loadBalancingConfig: [
            { xds: {} },
            { outlier_detection: { child_policy: [{ pick_first: {} }] } },
          ],
        },
      },
      [
        'serviceConfig.loadBalancingConfig: grpc-js cannot use it: Unrecognized load balancing config name xds; outlier_detection: outlier_detection LB policy cannot have a pick_first child policy',
      ],
    ],
  ])('%s is refused at the start', (_, init, mistakes) => {
    expect(mistakesOf(init)).toEqual(mistakes);
  });

  it('that hedges what is not idempotent is refused', () => {
    const name = [{ service: Probe.typeName, method: 'BidiStream' }];
    const hedgingPolicy = { maxAttempts: 2 };
    expect(mistakesOf({ serviceConfig: { methodConfig: [{ name, hedgingPolicy }] } })).toEqual([
      expect.stringMatching(
        /^serviceConfig\.methodConfig\[0\]: apix\.testdata\.Probe\/BidiStream is not declared idempotent/,
      ),
    ]);
  });

  it.each<[string, object]>([
    [
      'every member of a hedging policy',
      {
        hedgingPolicy: {
          maxAttempts: 2,
          hedgingDelay: '0.1s',
          nonFatalStatusCodes: ['UNAVAILABLE'],
        },
      },
    ],
    ['a timeout of whole seconds', { timeout: { seconds: 1 } }],
    ['a timeout of nanoseconds', { timeout: { nanos: 1 } }],
  ])('may have %s', (_, entry) => {
    expect(mistakesOf({ serviceConfig: { methodConfig: [{ ...UNARY, ...entry }] } })).toEqual([]);
  });

  it('that repeats nothing is fit for methods that are not idempotent', () => {
    expect(mistakesOf(raw({ timeout: '1s' }))).toEqual([]);
  });

  it('that repeats what is not idempotent is refused, unless the client says that it is', () => {
    const reason = (method: string): string =>
      `serviceConfig.methodConfig[0]: apix.testdata.Probe/${method} is not declared idempotent, so a second ` +
      'attempt might do its work twice; set idempotency_level in its proto, or idempotent: true for the method';
    expect(mistakesOf(raw({ retryPolicy: POLICY }))).toEqual(
      ['ServerStream', 'ClientStream', 'BidiStream'].map(reason),
    );
    const methods = { serverStream: { idempotent: true }, clientStream: { idempotent: true } };
    expect(mistakesOf({ ...raw({ retryPolicy: POLICY }), methods })).toEqual([
      reason('BidiStream'),
    ]);
    expect(
      mistakesOf({ serviceConfig: { methodConfig: [{ ...UNARY, retryPolicy: POLICY }] } }),
    ).toEqual([]);
  });
});
