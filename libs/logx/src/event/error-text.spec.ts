import { describe, expect, it } from '@jest/globals';
import { errorText, stackTexts } from './error-text.js';

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
      'has the first ten errors of an AggregateError, and how many more there are',
      aggregateOf(57),
      'many [0; 1; 2; 3; 4; 5; 6; 7; 8; 9; … (47 more errors)]',
    ],
    [
      'has all ten errors of an AggregateError with no more',
      aggregateOf(10),
      'many [0; 1; 2; 3; 4; 5; 6; 7; 8; 9]',
    ],
    [
      'has the messages of ten causes, and says that there are more',
      causedBy(12),
      '0: 1: 2: 3: 4: 5: 6: 7: 8: 9: 10: … (more causes)',
    ],
    [
      'has all ten causes where there are no more',
      causedBy(10),
      '0: 1: 2: 3: 4: 5: 6: 7: 8: 9: 10',
    ],
    ['is the text of what is no error', 'full', 'full'],
  ])('%s', (_what, error, text) => {
    expect(errorText(error)).toBe(text);
  });
});

/** An AggregateError of so many. */
function aggregateOf(count: number): AggregateError {
  return new AggregateError(
    Array.from({ length: count }, (_, i) => new Error(`${i}`)),
    'many',
  );
}

/** An error with so many causes. */
function causedBy(count: number, at = 0): Error {
  return new Error(`${at}`, at < count ? { cause: causedBy(count, at + 1) } : {});
}

describe('the stack of an error', () => {
  it('has those of its causes, and of the errors of an AggregateError', () => {
    const [a, b] = [new Error('a'), new TypeError('b')];
    const both = new AggregateError([a, b, 'c'], 'both', { cause: a });
    expect(stackTexts(both)).toEqual([
      `${both.stack}\nOne of: ${a.stack}\nOne of: ${b.stack}\nOne of: c`,
      a.stack,
    ]);
  });

  it('has those of ten errors of an AggregateError, and how many more there are', () => {
    const stacks = stackTexts(aggregateOf(57))![0]!.split('\nOne of: ');
    expect(stacks).toHaveLength(12);
    expect(stacks.at(-2)).toContain('Error: 9');
    expect(stacks.at(-1)).toBe('… (47 more errors)');
  });

  it('has those of ten causes, and says that there are more', () => {
    const stacks = stackTexts(causedBy(12))!;
    expect(stacks).toHaveLength(12);
    expect(stacks.at(-2)).toContain('Error: 10');
    expect(stacks.at(-1)).toBe('… (more causes)');
  });

  it('is undefined where the error has none', () => {
    expect(stackTexts('full')).toBeUndefined();
  });
});
