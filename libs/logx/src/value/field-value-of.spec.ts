import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import { collectingSink } from '../testing/collecting-sink.js';

describe('a value of an event', () => {
  it.each<[string, unknown, unknown, string]>([
    ['a text', 'visa', 'visa', 'visa'],
    ['a number', 0, 0, '0'],
    ['undefined', undefined, null, 'null'],
    ['null', null, null, 'null'],
    ['a symbol', Symbol('visa'), 'Symbol(visa)', 'Symbol(visa)'],
  ])('that is %s is in the message, and a field of its own', (_what, value, field, text) => {
    const logged = collectingSink();
    createLogger({ sinks: [logged] }).information('paid by {Card}', value);
    expect(logged.only()).toMatchObject({ Card: field, message: `paid by ${text}` });
  });

  it('is the text of a class of dates that writes them in another way', () => {
    class Day extends Date {
      override toISOString(): string {
        return super.toISOString().slice(0, 10);
      }
    }
    const logged = collectingSink();
    createLogger({ sinks: [logged] }).information('due {On}', new Day('2026-12-24T18:00:00Z'));
    expect(logged.only()).toMatchObject({ On: '2026-12-24', message: 'due 2026-12-24' });
  });
});

describe('the fields of an event', () => {
  it('have all members that can be read, and a text for one whose getter throws', () => {
    const logged = collectingSink();
    const order = {
      id: 7,
      get total(): number {
        throw new Error('no price');
      },
      gift: undefined,
      sku: 'A-1',
    };
    createLogger({ sinks: [logged] }).information(order, 'placed {@Order}', order);
    expect(logged.only()).toMatchObject({
      id: 7,
      total: '[Unreadable: no price]',
      sku: 'A-1',
      Order: { id: 7, total: '[Unreadable: no price]', sku: 'A-1' },
    });
  });

  it('have the surplus argument in place of a field of its name', () => {
    const logged = collectingSink();
    createLogger({ sinks: [logged] }).information({ extra_0: 'field', b: 1 }, 'placed', 'argument');
    expect(logged.only()).toMatchObject({ extra_0: 'argument', b: 1 });
  });
});
