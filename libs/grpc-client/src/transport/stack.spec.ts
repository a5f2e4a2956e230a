import { credentials } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { endpointAddress, needsGrpcJs, stackFor } from './stack.js';

const NONE = { channelOptions: {}, credentials: undefined, hasCertificates: false };

describe('the address of an endpoint', () => {
  it.each([
    ['127.0.0.1:50051', { host: '127.0.0.1', port: 50_051 }],
    ['catalog:1', { host: 'catalog', port: 1 }],
    ['[::1]:80', { host: '::1', port: 80 }],
    ['unix:/run/a.sock', { path: '/run/a.sock' }],
    ['unix:///run/a.sock', { path: '/run/a.sock' }],
    ['unix:a.sock', { path: 'a.sock' }],
    ['dns:///catalog:1', undefined],
    ['dns:catalog:1', undefined],
    ['xds:///catalog', undefined],
    ['ipv4:127.0.0.1:1,127.0.0.1:2', undefined],
    ['catalog', undefined],
    ['::1:80', undefined],
    ['[catalog]:80', undefined],
    ['', undefined],
  ])('%s is %j', (endpoint, address) => {
    expect(endpointAddress(endpoint)).toEqual(address);
  });
});

describe('what carries the calls', () => {
  it.each([
    ['an IPv4 address', '127.0.0.1:1', {}, 'http2'],
    ['an IPv6 address', '[::1]:1', {}, 'http2'],
    ['localhost', 'localhost:1', {}, 'http2'],
    ['a socket of Unix', 'unix:/run/a', {}, 'http2'],
    ['a name', 'catalog:1', {}, 'http2'],
    ['a name to be resolved', 'dns:///catalog:1', {}, 'grpc-js'],
    ['another target', 'dns:///127.0.0.1:1', {}, 'grpc-js'],
    [
      'limits and pings',
      '127.0.0.1:1',
      { 'grpc.keepalive_time_ms': 1, 'grpc.max_receive_message_length': -1 },
      'http2',
    ],
    ['a service config', '127.0.0.1:1', { 'grpc.service_config': '{}' }, 'grpc-js'],
    ['an option that is not known', '127.0.0.1:1', { 'grpc.lb.x': 1 }, 'grpc-js'],
  ] as const)('to %s is chosen', (_what, endpoint, channelOptions, stack) => {
    expect(stackFor({ ...NONE, endpoint, channelOptions }, {})).toBe(stack);
  });

  it.each([
    ['none', undefined, false, 'http2'],
    ['plaintext', credentials.createInsecure(), false, 'http2'],
    ['those of grpc-js', credentials.createSsl(), false, 'grpc-js'],
    ['the option tls', undefined, true, 'http2'],
  ] as const)('is chosen by credentials: %s', (_what, given, hasCertificates, stack) => {
    const needs = { ...NONE, endpoint: '127.0.0.1:1', credentials: given, hasCertificates };
    expect(stackFor(needs, {})).toBe(stack);
  });

  it.each([
    [{ http_proxy: 'http://a' }, {}, 'grpc-js'],
    [{ grpc_proxy: 'http://a' }, {}, 'grpc-js'],
    [{ http_proxy: 'http://a' }, { 'grpc.enable_http_proxy': 0 }, 'http2'],
    [{ HTTP_PROXY: 'http://a' }, {}, 'http2'],
  ])('is chosen by proxies: %j, %j', (environment, channelOptions, stack) => {
    const needs = { ...NONE, endpoint: '127.0.0.1:1', channelOptions };
    expect(stackFor(needs, environment)).toBe(stack);
  });

  it('may be http2 for a name that has one address', () => {
    expect(needsGrpcJs({ ...NONE, endpoint: 'catalog:1' }, {})).toBeUndefined();
  });

  it.each([
    ['dns:///a:1', {}, '"dns:///a:1" is not host:port or unix:path'],
    [
      'a:1',
      { 'grpc.service_config': '{}' },
      'only grpc-js has the channel option grpc.service_config',
    ],
  ])('is not http2 for %s with %j, and says why', (endpoint, channelOptions, reason) => {
    expect(needsGrpcJs({ ...NONE, endpoint, channelOptions }, {})).toBe(reason);
  });
});
