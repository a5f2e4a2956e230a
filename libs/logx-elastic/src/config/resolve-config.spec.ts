import type { OptionsError } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { resolveConfig } from './resolve-config.js';

const GOOD = { addresses: ['http://es:9200'], index: 'logs' };

describe('the config of an elastic sink', () => {
  it('has the defaults of the specification', () => {
    const settings = resolveConfig(GOOD);
    expect(settings).toMatchObject({
      action: 'index',
      batchSize: 500,
      flushIntervalMs: 5_000,
      queueSize: 10_000,
      maxRetries: 3,
      timeoutMs: 30_000,
      gzip: false,
      spool: undefined,
      authorization: undefined,
    });
    expect(settings.urls.map(String)).toEqual(['http://es:9200/logs/_bulk']);
  });

  const mistakesOf = (config: object): readonly string[] => {
    let found: readonly string[] = [];
    try {
      resolveConfig({ ...GOOD, ...config });
    } catch (error) {
      found = (error as OptionsError).mistakes;
    }
    return found;
  };

  const WRONG: readonly (readonly [string, unknown, string])[] = [
    ['index', '', 'index: must be a non-empty string, not ""'],
    ['addresses', [], 'addresses: must have at least one node, such as "https://es-1:9200"'],
    ['action', 'upsert', 'action: must be one of "index", "create", not "upsert"'],
    ['username', 'ada', 'password: is required: username and password belong together'],
    ['batchSize', 0, 'batchSize: must be an integer of at least 1, not 0'],
    ['batchBytes', 0.5, 'batchBytes: must be an integer of at least 1, not 0.5'],
    ['flushInterval', 0, 'flushInterval: must be greater than 0, not 0'],
    ['queueBytes', -1, 'queueBytes: must be an integer of at least 1, not -1'],
    ['maxRetries', -1, 'maxRetries: must be an integer of at least 0, not -1'],
    ['retryDelay', 'x', 'retryDelay: "x" is not a valid duration; '],
    ['timeout', 'soon', 'timeout: "soon" is not a valid duration; '],
    ['concurrency', 1.5, 'concurrency: must be an integer of at least 1, not 1.5'],
    ['gzip', 'yes', 'gzip: must be true or false, not "yes"'],
    ['health', 'dead', 'health: must be one of "ready", "live", not "dead"'],
    ['spool', { path: '' }, 'spool.path: must be a non-empty string, not ""'],
    [
      'spool',
      { path: 'x', maxBytes: 1_000 },
      'spool.maxBytes: must be an integer of at least 1048576, not 1000',
    ],
    ['queueSize', 100, 'queueSize: must be an integer of at least 500, not 100'],
    ['addresses', ['es:9200'], 'addresses[0]: must be a URL with http: or https:, not "es:9200"'],
    ['addresses', ['ftp://es'], 'addresses[0]: must be a URL with http: or https:, not "ftp://es"'],
    ['addresses', [7], 'addresses[0]: must be a URL with http: or https:, not 7'],
    ['addresses', ['//ada:secret@es'], 'http: or https:, not "//…@es"'],
    ['addresses', ['http://ada:secret@es'], 'addresses[0]: must not contain credentials; '],
    ['batchsize', 5, 'batchsize: is not known here; did you mean batchSize?'],
    [
      'spool',
      { path: 'x', maxByte: 1 },
      'spool.maxByte: is not known here; did you mean maxBytes?',
    ],
    ['tls', { caFile: 'x' }, 'tls.caFile: is not known here'],
  ];

  it.each(WRONG)('refuses %s: %j', (name, value, mistake) => {
    const mistakes = mistakesOf({ [name]: value });
    expect(mistakes).toEqual([expect.stringContaining(mistake)]);
    expect(mistakes.join()).not.toContain('secret');
  });

  it('reports every mistake at once', () => {
    const first = WRONG.slice(0, 15);
    const wrong = Object.fromEntries(first.map(([name, value]) => [name, value]));
    const mistakes = mistakesOf(wrong);
    expect(mistakes).toHaveLength(first.length);
    for (const [, , mistake] of first) {
      expect(mistakes).toContainEqual(expect.stringContaining(mistake));
    }
    expect(() => resolveConfig({ ...GOOD, index: '', gzip: 1 as unknown as boolean })).toThrow(
      'logx-elastic: 2 mistakes:\n  index: must be a non-empty string, not ""\n  gzip: must be',
    );
  });
});
