import { describe, expect, it } from '@jest/globals';
import type { ElasticConfig } from './elastic-config.js';
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

  it('says every mistake at once', () => {
    const wrong = { addresses: [], index: '', batchSize: 0, timeout: 'soon', username: 'ada' };
    expect(() => resolveConfig(wrong)).toThrow(
      'logx-elastic: the config is wrong: index is required; ' +
        'username and password belong together; batchSize must be a whole number from 1 up, not 0; ' +
        'addresses needs a node, such as "https://es-1:9200"; timeout: "soon" is no duration',
    );
  });

  it.each<readonly [Partial<ElasticConfig>, string]>([
    [{ addresses: ['es:9200'] }, 'the address "es:9200" is no URL with http: or https:'],
    [{ addresses: ['ftp://es'] }, 'the address "ftp://es" is no URL'],
    [{ addresses: ['//ada:secret@es'] }, 'the address "//…@es" is no URL'],
    [{ addresses: ['http://ada:secret@es'] }, 'put the credentials of es into username'],
    [{ queueSize: 100 }, 'queueSize must hold a batch, 500 events'],
    [{ maxRetries: -1 }, 'maxRetries must be a whole number from 0 up, not -1'],
    [{ concurrency: 1.5 }, 'concurrency must be a whole number from 1 up, not 1.5'],
    [{ flushInterval: 0 }, 'flushInterval must be longer than 0'],
    [{ spool: { path: '' } }, 'spool.path is required'],
    [{ spool: { path: 'x', maxBytes: 1_000 } }, 'spool.maxBytes must be at least 1 MiB'],
  ])('refuses %j', (config, message) => {
    let said = '';
    try {
      resolveConfig({ ...GOOD, ...config });
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toContain(message);
    expect(said).not.toContain('secret');
  });
});
