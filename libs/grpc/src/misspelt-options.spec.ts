import { Server } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { circuitBreaker } from '../../grpc-client/src/breaker/circuit-breaker.js';
import { createClient, openChannel } from '../../grpc-client/src/client/create-client.js';
import { Probe } from '../../grpc-client/src/client/probe-service.fixture.js';
import { retriesOf } from '../../grpc-client/src/service-config/service-retries.js';
import { GrpcSetupError } from '../../grpc-client/src/errors.js';
import {
  CA_CERT,
  SERVER_CERT,
  SERVER_KEY,
} from '../../grpc-client/src/tls/certificates.fixture.js';
import { InProcessEntry } from './in-process/in-process-entry.js';
import { type GrpcModuleOptions, resolveGrpcOptions } from './server/grpc-options.js';
import { type GrpcServerServiceOptions, grpcServerService } from './server/grpc-server-service.js';
import { fakeClient } from './testing/fake-client.js';

type Misspelt = readonly [what: string, options: object, message: string];

const TLS = { cert: SERVER_CERT, key: SERVER_KEY };

const IN_SERVER: readonly Misspelt[] = [
  [
    'GrpcModule',
    { maxRecieveBytes: 1 },
    'maxRecieveBytes: is not known here; did you mean maxReceiveBytes?',
  ],
  [
    'keepAlive',
    { keepAlive: { intervall: '1s' } },
    'keepAlive.intervall: is not known here; did you mean interval?',
  ],
  // Every client would be let in.
  [
    'tls',
    { tls: { ...TLS, clientCA: CA_CERT } },
    'tls.clientCA: is not known here; did you mean clientCa?',
  ],
  [
    'compression',
    { compression: { algorithm: 'gzip', minByte: 1 } },
    'compression.minByte: is not known here; did you mean minBytes?',
  ],
];

describe('a misspelt option', () => {
  it.each(IN_SERVER)('of a server is refused in %s', (_, options, message) => {
    expect(() => resolveGrpcOptions(options as GrpcModuleOptions)).toThrow(`grpc: ${message}`);
  });

  it('of a hosted service is refused', () => {
    const options = { server: new Server(), drainDelai: '1s' } as GrpcServerServiceOptions;
    expect(() => grpcServerService(options)).toThrow(
      'grpc: service grpc: drainDelai: is not known here; did you mean drainDelay?',
    );
  });
});

const at = { endpoint: 'localhost:1' };

it.each<[string, (options: object) => unknown, object, string]>([
  ['a channel', (options) => openChannel({ ...at, ...options }), { stak: 'auto' }, 'stak'],
  ['a client', clientWith, { timeOut: '1s' }, 'timeOut'],
  ['a method', clientWith, { methods: { unary: { timout: 1 } } }, 'methods.unary.timout'],
  ['tls', clientWith, { tls: { caa: CA_CERT } }, 'tls.caa'],
  ['inherit', clientWith, { inherit: { margn: 1 } }, 'inherit.margn'],
  [
    'authorization',
    clientWith,
    { authorization: { from: 'inherit', hosts: ['localhost'], plaintex: false } },
    'authorization.plaintex',
  ],
  [
    'retryThrottling',
    clientWith,
    { retryThrottling: { maxTokens: 9, ratio: 1 } },
    'retryThrottling.ratio',
  ],
  ['balance', clientWith, { balance: { polcy: 'round_robin' } }, 'balance.polcy'],
  [
    'outlierDetection',
    clientWith,
    { balance: { outlierDetection: { failures: {}, intervall: 1 } } },
    'balance.outlierDetection.intervall',
  ],
  [
    'failures',
    clientWith,
    { balance: { outlierDetection: { failures: { percnt: 1 } } } },
    'balance.outlierDetection.failures.percnt',
  ],
  [
    'successRate',
    clientWith,
    { balance: { outlierDetection: { successRate: { deviation: 1 } } } },
    'balance.outlierDetection.successRate.deviation',
  ],
  ['retriesOf', channelOf({ retyr: {} }), {}, 'retries[0].retyr'],
  [
    'a method in retriesOf',
    channelOf({ methods: { unary: { timeout: '1s' } } }),
    {},
    'retries[0].methods.unary.timeout',
  ],
  ['fakeClient', (options) => fakeClient(Probe, {}, options), { timout: 1 }, 'timout'],
  ['fakes', (options) => fakeClient(Probe, options), { unarry: () => ({}) }, 'unarry'],
  ['circuitBreaker', (options) => circuitBreaker(options), { windw: 1 }, 'circuitBreaker.windw'],
  // It was an option once: a caller that relies on it must hear that it has no effect.
  [
    'clientInterceptor',
    (options) => new InProcessEntry().clientInterceptor(options),
    { forwarded: true },
    'forwarded',
  ],
])('a misspelt option of %s is refused', (_, use, options, misspelt) => {
  expect(() => use(options)).toThrow(`${misspelt}: is not known here`);
});

it.each<[string, () => unknown, string]>([
  ['GrpcModule', () => resolveGrpcOptions(undefined as never), 'must be an object, not undefined'],
  [
    'grpcServerService',
    () => grpcServerService(undefined as never),
    'must be an object, not undefined',
  ],
  [
    'createClient',
    () => createClient(Probe, undefined as never),
    'must be an object, not undefined',
  ],
  ['openChannel', () => openChannel(null as never), 'must be an object, not null'],
  ['retry', () => clientWith({ retry: [] }), 'retry: must be false or an object, not an array'],
  ['hedge', () => clientWith({ hedge: [] }), 'hedge: must be false or an object, not an array'],
  ['retry', () => clientWith({ retry: null }), 'retry: must be false or an object, not null'],
  [
    'balance',
    () => clientWith({ balance: [] }),
    'balance: must be "pick_first", "round_robin" or an object, not an array',
  ],
  [
    'authorization',
    () => clientWith({ authorization: null }),
    'authorization: must be an object, not null',
  ],
  ['retriesOf', channelOf(undefined), 'retries[0]: must be an object, not undefined'],
  [
    'an entry of retries',
    () => openChannel({ ...at, retries: [{}] as never }),
    'retries[0]: must be made by retriesOf, not an object',
  ],
  ['retries', () => openChannel({ ...at, retries: {} as never }), 'retries: must be an array'],
])('options of %s that are not of the right shape are refused', (_, use, message) => {
  expect(use).toThrow(GrpcSetupError);
  expect(use).toThrow(message);
});

function channelOf(retries: object | undefined): () => unknown {
  return () => openChannel({ ...at, retries: [retriesOf(Probe, retries as never)] });
}

function clientWith(options: object): unknown {
  return createClient(Probe, { ...at, ...options });
}
