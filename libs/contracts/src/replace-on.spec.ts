import { describe, expect, it } from '@jest/globals';
import { replaceOn } from './replace-on.js';

class Shop {
  constructor(readonly name = 'the shop') {}

  open(): string {
    return `${this.name} of the class`;
  }
}

const ours = (): string => 'ours';
const theirs = (): string => 'theirs';

describe('a method that was replaced', () => {
  it('is put back, whether the object had it itself or from its class', () => {
    const [inherited, own] = [new Shop(), Object.assign(new Shop(), { open: theirs })];
    for (const shop of [inherited, own]) {
      const undo = replaceOn(shop, 'open', () => ours);
      expect(shop.open()).toBe('ours');
      undo();
    }
    expect([inherited.open(), own.open()]).toEqual(['the shop of the class', 'theirs']);
    expect([Object.hasOwn(inherited, 'open'), Object.hasOwn(own, 'open')]).toEqual([false, true]);
  });

  it('may call the original, and is called on whatever the caller has', () => {
    const shop = new Shop();
    replaceOn(
      shop,
      'open',
      (original) =>
        function (this: Shop) {
          return `around ${original.call(this)}`;
        },
    );
    expect(shop.open()).toBe('around the shop of the class');
    expect(shop.open.call(new Shop('another'))).toBe('around another of the class');
  });

  it.each<[string, (shop: Shop) => void]>([
    ['assign', (shop) => (shop.open = theirs)],
    ['define', (shop) => Object.defineProperty(shop, 'open', { value: theirs })],
  ])('is one that the app may %s again, as before', (_, replace) => {
    const shop = new Shop();
    const undo = replaceOn(shop, 'open', () => ours);
    replace(shop);
    expect(shop.open()).toBe('theirs');
    undo();
    expect(shop.open()).toBe('theirs');
  });

  it('stays inside a later replacement when it is undone, and passes on to the original', () => {
    const shop = new Shop();
    const undo = replaceOn(shop, 'open', () => ours);
    const undoOuter = replaceOn(shop, 'open', (inner) => () => `outer ${inner.call(shop)}`);
    undo();
    expect(shop.open()).toBe('outer the shop of the class');
    undoOuter();
    expect(shop.open()).toBe('the shop of the class');
  });

  it('is put back on an object that gives out its methods wrapped, as a Nest app does', () => {
    const app: Shop = new Proxy(new Shop(), {
      get: (_, name, receiver: Shop) => (name === 'open' ? () => own(receiver) : 'the proxy'),
    });
    const own = (shop: Shop): unknown =>
      Object.getOwnPropertyDescriptor(shop, 'open')?.value?.call(shop) ?? 'of the class';
    const undo = replaceOn(app, 'open', () => ours);
    expect(app.open()).toBe('ours');
    undo();
    expect(app.open()).toBe('of the class');
  });

  it.each([
    ['listed as before', { open: theirs }, ['open']],
    ['not listed where it came from the class', new Shop(), ['name']],
  ])('is %s', (_, shop, keys) => {
    replaceOn(shop, 'open', () => ours);
    expect(Object.keys(shop)).toEqual(keys);
  });
});
