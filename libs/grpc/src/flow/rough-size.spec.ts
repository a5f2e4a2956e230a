import { describe, expect, it } from '@jest/globals';
import { roughSize } from './rough-size.js';

describe('the rough size of a message', () => {
  it.each<[string, unknown, number]>([
    ['nothing', undefined, 8],
    ['a number', 5, 8],
    ['a text', 'four', 12],
    ['an empty message', {}, 64],
    ['bytes', { data: Buffer.alloc(1_000) }, 64 + 64 + 1_000],
    ['a list of messages', [{}, {}], 3 * 64],
    ['a message with defaults that it inherits', Object.create({ name: 'none' }), 64],
    ['a message of a class', Object.assign(Object.create({ a: 1 }) as object, { b: 'x' }), 73],
    ['a map', { by: { a: 'x', b: 'y' } }, 2 * 64 + 2 * 9],
  ])('of %s counts what is in it', (_, value, size) => {
    expect(roughSize(value)).toBe(size);
  });

  it('of a message that contains itself is found', () => {
    const message: Record<string, unknown> = {};
    message['self'] = message;
    expect(roughSize(message)).toBe(33 * 64);
  });
});
