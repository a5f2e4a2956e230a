import { describe, expect, it } from '@jest/globals';
import { replaceMethod } from './replace-method.js';

class Shop {
  open(): string {
    return 'of the class';
  }
}

const ours = (): string => 'ours';
const theirs = (): string => 'theirs';

describe('a method that was replaced', () => {
  it('is put back, whether the object had it itself or from its class', () => {
    const [inherited, own] = [new Shop(), Object.assign(new Shop(), { open: theirs })];
    for (const shop of [inherited, own]) {
      const undo = replaceMethod(shop, 'open', ours);
      expect(shop.open()).toBe('ours');
      undo();
    }
    expect([inherited.open(), own.open()]).toEqual(['of the class', 'theirs']);
    expect([Object.hasOwn(inherited, 'open'), Object.hasOwn(own, 'open')]).toEqual([false, true]);
  });

  it.each<[string, (shop: Shop) => void]>([
    ['assign', (shop) => (shop.open = theirs)],
    ['define', (shop) => Object.defineProperty(shop, 'open', { value: theirs })],
  ])('is one that the app may %s again, as before', (_, replace) => {
    const shop = new Shop();
    replaceMethod(shop, 'open', ours);
    replace(shop);
    expect(shop.open()).toBe('theirs');
  });
});
