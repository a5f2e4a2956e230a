import { Mistakes } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { listenAddress } from './resolve-settings.js';

describe('a place to listen at', () => {
  it.each([
    ['8080', { host: undefined, port: 8080 }],
    ['0', { host: undefined, port: 0 }],
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
    ['localhost:65535', { host: 'localhost', port: 65_535 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
  ])('%s is read', (text, address) => {
    const mistakes = new Mistakes();
    expect(listenAddress('listen', text, mistakes)).toEqual(address);
    expect(mistakes.found).toEqual([]);
  });

  it.each(['', 'localhost', ':8080', 'a:b', '65536', '-1', '8080 ', '::1:8080', 'http://a:80'])(
    '"%s" is a mistake',
    (text) => {
      const mistakes = new Mistakes();
      listenAddress('listen', text, mistakes);
      expect(mistakes.found).toHaveLength(1);
      expect(mistakes.found[0]).toMatch(/^listen: .*is not a port or host:port/);
    },
  );
});
