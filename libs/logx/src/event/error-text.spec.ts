import { describe, expect, it } from '@jest/globals';
import { errorText, stackText } from './error-text.js';

describe('the text of an error', () => {
  it.each<[string, unknown, string]>([
    ['is its message', new TypeError('out of paper'), 'out of paper'],
    ['is its name where it has no message', new TypeError(), 'TypeError'],
    [
      'has the messages of its causes',
      new Error('saving', { cause: new Error('full') }),
      'saving: full',
    ],
    [
      'has the name of a cause without a message',
      new Error('saving', { cause: new RangeError() }),
      'saving: RangeError',
    ],
    [
      'says a message once that ends in its cause',
      new Error('saving: full', { cause: new Error('full') }),
      'saving: full',
    ],
    [
      'has the errors of an AggregateError',
      new AggregateError([new Error('a'), new TypeError()], 'both'),
      'both [a; TypeError]',
    ],
    [
      'has the first ten errors of an AggregateError',
      new AggregateError(
        Array.from({ length: 11 }, (_, i) => new Error(`${i}`)),
        'many',
      ),
      'many [0; 1; 2; 3; 4; 5; 6; 7; 8; 9]',
    ],
    ['is the text of what is no error', 'full', 'full'],
  ])('%s', (_what, error, text) => {
    expect(errorText(error)).toBe(text);
  });
});

describe('the stack of an error', () => {
  it('has those of its causes, and of the errors of an AggregateError', () => {
    const [a, b] = [new Error('a'), new TypeError('b')];
    const both = new AggregateError([a, b, 'c'], 'both', { cause: a });
    expect(stackText(both)).toBe(
      `${both.stack}\nOne of: ${a.stack}\nOne of: ${b.stack}\nOne of: c\nCaused by: ${a.stack}`,
    );
  });

  it('is undefined where the error has none', () => {
    expect(stackText('full')).toBeUndefined();
  });
});
