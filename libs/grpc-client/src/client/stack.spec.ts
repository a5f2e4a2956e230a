import { credentials } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { CERTIFICATE } from '../../../../tools/testing/certificate.js';
import { Probe, type ProbeService } from './probe-service.fixture.js';
import { type ClientInit, channelOf, createClient } from './create-client.js';

type Init = ClientInit<ProbeService>;

function stackOf(init: Init): string | undefined {
  const client = createClient(Probe, { endpoint: '127.0.0.1:1', ...init });
  const { stack } = channelOf(client);
  void channelOf(client).close();
  return stack;
}

describe('the stack of a client', () => {
  it.each([
    ['grpc-js unless it says otherwise', {}, 'grpc-js'],
    ['http2 where it says so', { stack: 'http2' }, 'http2'],
    ['http2 with TLS', { stack: 'http2', tls: { ca: CERTIFICATE } }, 'http2'],
    ['http2 for a name', { stack: 'http2', endpoint: 'catalog:1' }, 'http2'],
    ['http2 by itself for an address', { stack: 'auto', compression: 'gzip' }, 'http2'],
    ['http2 by itself for a name', { stack: 'auto', endpoint: 'catalog:1' }, 'http2'],
    [
      'grpc-js by itself for a name to be resolved',
      { stack: 'auto', endpoint: 'dns:///catalog:1' },
      'grpc-js',
    ],
    ['grpc-js by itself with balance', { stack: 'auto', balance: 'round_robin' }, 'grpc-js'],
  ] satisfies readonly (readonly [string, Init, string])[])('is %s', (_what, init, stack) => {
    expect(stackOf(init)).toBe(stack);
  });

  it.each([
    [{ balance: 'round_robin' }, 'only grpc-js has the channel option grpc.service_config'],
    [{ credentials: credentials.createSsl() }, 'credentials are those of grpc-js'],
    [{ endpoint: 'dns:///catalog:1' }, '"dns:///catalog:1" is not host:port or unix:path'],
  ] satisfies readonly (readonly [Init, string])[])('cannot be http2 with %j', (init, reason) => {
    expect(() => stackOf({ ...init, stack: 'http2' })).toThrow(
      `stack: "http2" cannot be used: ${reason}`,
    );
  });

  it('is one of three', () => {
    expect(() => stackOf({ stack: 'h2' as never })).toThrow('stack: ');
  });
});
