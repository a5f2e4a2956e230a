import { describe, expect, it } from '@jest/globals';
import { checkerFunc, indicatorChecker } from './health/checker.js';
import { holdSignals } from './host/signals.js';
import { HostBuilder } from './host/host-builder.js';
import { HostError } from './errors.js';
import { startHost } from './testing/start-host.js';

describe('a misspelt option', () => {
  it.each<[string, (options: object) => unknown, string, string]>([
    ['holdSignals', (options) => holdSignals(options), 'timeOut', 'timeout'],
    ['run', (options) => new HostBuilder().build().run(options), 'signal', 'signals'],
    ['checkerFunc', (options) => checkerFunc('db', () => {}, options), 'afects', 'affects'],
    [
      'indicatorChecker',
      (options) => indicatorChecker('db', () => ({}), options),
      'caches',
      'cache',
    ],
    ['startHost', (options) => startHost(new HostBuilder(), options), 'timout', 'timeout'],
  ])('of %s is refused', async (_, use, misspelt, meant) => {
    const refused = (async () => use({ [misspelt]: true }))();
    await expect(refused).rejects.toBeInstanceOf(HostError);
    await expect(refused).rejects.toThrow(`${misspelt}: is not known here; did you mean ${meant}?`);
  });

  it.each([
    ['holdSignals', () => holdSignals({ timeout: 0 }), 'the signals cannot be held: timeout: '],
    ['checkerFunc', () => checkerFunc('db', () => {}, { affects: 'all' as never }), 'check db: '],
  ])('is refused by %s as a wrong one is', (_, use, message) => {
    expect(use).toThrow(`hostx: ${message}`);
  });
});
