import { Server } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { circuitBreaker } from './breaker/circuit-breaker.js';
import { createClient, openChannel } from './client/create-client.js';
import { Probe } from './client/probe-service.fixture.js';
import { CA_CERT, SERVER_CERT, SERVER_KEY } from './server/certificates.fixture.js';
import { type GrpcModuleOptions, resolveGrpcOptions } from './server/grpc-options.js';
import { type GrpcServerServiceOptions, grpcServerService } from './server/grpc-server-service.js';

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
  ['circuitBreaker', (options) => circuitBreaker(options), { windw: 1 }, 'circuitBreaker.windw'],
])('a misspelt option of %s is refused', (_, use, options, misspelt) => {
  expect(() => use(options)).toThrow(`${misspelt}: is not known here`);
});

function clientWith(options: object): unknown {
  return createClient(Probe, { ...at, ...options });
}
