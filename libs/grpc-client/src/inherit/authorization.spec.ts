import { Code } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { createClient } from '../client/create-client.js';
import { Probe, failureOfCall, probeClient, serveProbe } from '../client/probe-service.fixture.js';
import { type AuthorizationRule, hostsOf } from './authorization.js';

const make = (endpoint: string, rule: Partial<AuthorizationRule>) => () =>
  createClient(Probe, { endpoint, authorization: { from: 'inherit', hosts: [], ...rule } });

describe('the rule for credentials', () => {
  it.each([
    [
      'a host that it does not have',
      'catalog:50051',
      { hosts: ['orders'] },
      'does not have "catalog"',
    ],
    [
      'a host that it has, without TLS',
      'catalog:50051',
      { hosts: ['catalog'] },
      'grpc: authorization: the connection to "catalog" has no TLS',
    ],
    [
      'one of several addresses that it does not have',
      'ipv4:127.0.0.1:1,10.0.0.2:1',
      { hosts: ['127.0.0.1'] },
      'does not have "10.0.0.2"',
    ],
    [
      'a name that begins like an address of this machine',
      '127.0.0.1.example.com:1',
      { hosts: ['127.0.0.1.example.com'] },
      'has no TLS',
    ],
    ['no source', 'localhost:1', { from: 1 as never, hosts: ['localhost'] }, 'authorization.from'],
  ])('keeps a client from starting for %s', (_, endpoint, rule, message) => {
    expect(make(endpoint, rule)).toThrow(message);
  });

  it.each([
    ['without TLS where it says so', 'catalog:50051', { hosts: ['Catalog'], plaintext: true }],
    ['on this machine', 'dns:///localhost:50051', { hosts: ['localhost'] }],
  ])('lets credentials go %s', (_, endpoint, rule) => {
    expect(make(endpoint, rule)).not.toThrow();
  });

  it('asks a function for those of each call, which may take its time', async () => {
    const server = await serveProbe({
      Unary: ({ metadata }, respond) =>
        respond(null, { stringValue: String(metadata.get('authorization')) }),
    });
    const client = probeClient(server, 'network', {
      authorization: {
        hosts: ['127.0.0.1'],
        from: async ({ method }) => {
          await new Promise((resolve) => setImmediate(resolve));
          return `Bearer for ${method.name}`;
        },
      },
    });
    expect((await client.unary({})).stringValue).toBe('Bearer for Unary');
    const own = { headers: { authorization: 'Bearer own' } };
    expect((await client.unary({}, own)).stringValue).toBe('Bearer own');
  });

  it('makes no call if its credentials cannot be obtained, and waits for them no longer than the deadline', async () => {
    let calls = 0;
    const server = await serveProbe({
      Unary: (_call, respond) => {
        calls += 1;
        respond(null, {});
      },
    });
    const failed = new Error('no token');
    const broken = probeClient(server, 'network', {
      authorization: { hosts: ['127.0.0.1'], from: () => Promise.reject(failed) },
    });
    expect(await failureOfCall(broken.unary({}))).toBe(failed);
    const slow = probeClient(server, 'network', {
      authorization: { hosts: ['127.0.0.1'], from: () => new Promise(() => {}) },
    });
    const error = await failureOfCall(slow.unary({}, { timeout: '50ms' }));
    expect(error).toMatchObject({ code: Code.DEADLINE_EXCEEDED });
    expect(calls).toBe(0);
  });
});

describe('the hosts of a target', () => {
  it.each([
    ['catalog:50051', ['catalog']],
    ['Catalog', ['catalog']],
    ['dns:///catalog.internal:50051', ['catalog.internal']],
    ['dns://8.8.8.8/catalog:1', ['catalog']],
    ['dns:catalog:1', ['catalog']],
    ['[::1]:50051', ['::1']],
    ['ipv6:[::1]:1,[2001:db8::2]:1', ['::1', '2001:db8::2']],
    ['ipv4:10.0.0.1:1,10.0.0.2:1', ['10.0.0.1', '10.0.0.2']],
    ['unix:/run/a.sock', ['localhost']],
    ['in-process', ['in-process']],
  ])('of %s are %j', (target, hosts) => {
    expect(hostsOf(target)).toEqual(hosts);
  });
});
