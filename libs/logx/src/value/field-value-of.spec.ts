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
});
