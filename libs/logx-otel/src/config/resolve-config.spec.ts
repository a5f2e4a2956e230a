import type { OptionsError } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import type { OtelLoggerProvider } from './otel-config.js';
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

  const mistakesOf = (config: object): readonly string[] => {
    let found: readonly string[] = [];
    try {
      resolveConfig(config);
    } catch (error) {
      found = (error as OptionsError).mistakes;
    }
    return found;
  };
  const NO_ADDRESS = 'endpoint: must be host:port without a scheme or a path, not ';

  const WRONG: readonly (readonly [string, unknown, string])[] = [
    ['endpoint', 'http://a:4317', `${NO_ADDRESS}"http://a:4317"`],
    ['provider', 7, 'provider: must be a LoggerProvider of OpenTelemetry'],
    ['protocol', 'udp', 'protocol: must be one of "grpc", "http", not "udp"'],
    ['insecure', 'yes', 'insecure: must be true or false, not "yes"'],
    ['headers', { a: 1 }, 'headers.a: must be a string, not 1'],
    ['timeout', 'soon', 'timeout: "soon" is not a valid duration; '],
    ['attributes', 'x', 'attributes: must be an object of strings, not "x"'],
    ['timeFormat', 'TimeTea', 'timeFormat: must be one of "TimeRFC3339", '],
    ['queueSize', 0, 'queueSize: must be an integer of at least 1, not 0'],
    ['batchSize', 1.5, 'batchSize: must be an integer of at least 1, not 1.5'],
    ['flushInterval', -1, 'flushInterval: -1 is not a valid duration; '],
    ['health', 'dead', 'health: must be one of "ready", "live", not "dead"'],
    ['endpoint', 'a:4318/v1/logs', NO_ADDRESS],
    ['endpoint', 'a', NO_ADDRESS],
    ['endpoint', 'a:0', NO_ADDRESS],
    ['endpoint', 'a:65536', NO_ADDRESS],
    ['endpoint', 'user@a:1', NO_ADDRESS],
    ['batchsize', 5, 'batchsize: is not known here; did you mean batchSize?'],
  ];

  it.each(WRONG)('with %s: %j is refused', (name, value, mistake) => {
    expect(mistakesOf({ [name]: value })).toEqual([expect.stringContaining(mistake)]);
  });

  it('with a provider and an endpoint is refused', () => {
    expect(mistakesOf({ provider, endpoint: 'a:1' })).toEqual([
      'endpoint: must not be set together with provider; set one of them, or neither',
    ]);
  });

  it('with several mistakes is refused once, with all of them', () => {
    const first = WRONG.slice(0, 12);
    const mistakes = mistakesOf(Object.fromEntries(first.map(([name, value]) => [name, value])));
    expect(mistakes).toHaveLength(first.length + 1);
    for (const [, , mistake] of first) {
      expect(mistakes).toContainEqual(expect.stringContaining(mistake));
    }
  });
});
