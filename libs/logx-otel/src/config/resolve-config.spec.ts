import { describe, expect, it } from '@jest/globals';
import type { OtelConfig, OtelLoggerProvider } from './otel-config.js';
import { resolveConfig } from './resolve-config.js';

const provider: OtelLoggerProvider = { getLogger: () => ({ emit: () => {} }) };

describe('the config', () => {
  it('may be empty: the global provider', () => {
    expect(resolveConfig({})).toEqual({
      provider: undefined,
      endpoint: undefined,
      attributes: {},
      scopeName: '@apix/logx-otel',
      timeFormat: 'TimeRFC3339',
      health: undefined,
    });
    expect(resolveConfig({ endpoint: '', scopeName: '' })).toEqual(resolveConfig({}));
  });

  it('with an endpoint has the defaults of one', () => {
    expect(resolveConfig({ endpoint: 'otel:4317' }).endpoint).toEqual({
      endpoint: 'otel:4317',
      protocol: 'grpc',
      insecure: false,
      headers: {},
      timeoutMs: 0,
      resource: undefined,
      queueSize: 10_000,
      batchSize: 512,
      flushIntervalMs: 1_000,
    });
    const { endpoint } = resolveConfig({ endpoint: '[::1]:4317', timeout: '3s', queueSize: 100 });
    expect(endpoint).toMatchObject({ timeoutMs: 3_000, queueSize: 100, batchSize: 100 });
  });

  it.each<[OtelConfig, RegExp]>([
    [{ provider, endpoint: 'a:1' }, /provider and endpoint exclude each other/],
    [{ endpoint: 'http://a:4317' }, /endpoint: "http:\/\/a:4317" is no host:port/],
    [{ endpoint: 'a:4318/v1/logs' }, /is no host:port/],
    [{ endpoint: 'a' }, /is no host:port/],
    [{ endpoint: 'a:0' }, /is no host:port/],
    [{ endpoint: 'a:65536' }, /is no host:port/],
    [{ endpoint: 'user@a:1' }, /is no host:port/],
    [{ protocol: 'udp' as 'grpc' }, /protocol: must be grpc or http, not "udp"/],
    [{ endpoint: 'a:1', timeout: 'soon' }, /timeout: /],
    [{ timeFormat: 'TimeTea' as 'TimeUnix' }, /timeFormat: unknown time format "TimeTea"/],
    [{ endpoint: 'a:1', queueSize: 0 }, /queueSize: must be a whole number from 1 up, not 0/],
    [{ endpoint: 'a:1', batchSize: 1.5 }, /batchSize: must be a whole number from 1 up, not 1.5/],
  ])('%j is refused', (config, message) => {
    expect(() => resolveConfig(config)).toThrow(message);
    expect(() => resolveConfig(config)).toThrow(RangeError);
  });

  it('with several mistakes is refused once, with all of them', () => {
    const config = { provider, endpoint: 'a', protocol: 'udp' as 'grpc' };
    expect(() => resolveConfig(config)).toThrow(
      /^logx-otel: wrong config: provider and .*; endpoint: .*; protocol: /,
    );
  });
});
