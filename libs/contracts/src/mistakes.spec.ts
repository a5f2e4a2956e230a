import { describe, expect, it } from '@jest/globals';
import { Mistakes, OptionsError, mistakesText } from './mistakes.js';

const NOT_A_DURATION =
  'is not a valid duration; use milliseconds or a string such as "500ms", "10s" or "1m30s"';

describe('Mistakes', () => {
  it.each<[string, (mistakes: Mistakes) => unknown, unknown]>([
    ['a duration', (it) => it.duration('delay', '1m30s'), 90_000],
    ['a duration on its bounds', (it) => it.duration('delay', 5, { min: 5, max: 5 }), 5],
    ['an integer', (it) => it.count('size', 3, { min: 0 }), 3],
    ['a number', (it) => it.number('jitter', 0.5, { min: 0, max: 1 }), 0.5],
    ['a choice', (it) => it.choice('mode', 'b', ['a', 'b']), 'b'],
    ['a text', (it) => it.text('name', 'x'), 'x'],
    ['a flag', (it) => it.flag('on', false), false],
    ['a function', (it) => it.callable('work', Number), Number],
    ['anything that can be read', (it) => it.attempt('x', () => 'read', ''), 'read'],
  ])('reads %s', (_, read, value) => {
    const mistakes = new Mistakes();
    expect(read(mistakes)).toBe(value);
    expect(mistakes.found).toEqual([]);
  });

  it.each<[(mistakes: Mistakes) => unknown, string]>([
    [(it) => it.duration('delay', 'soon'), `delay: "soon" ${NOT_A_DURATION}`],
    [(it) => it.duration('delay', -1), `delay: -1 ${NOT_A_DURATION}`],
    [(it) => it.duration('delay', null as never), `delay: null ${NOT_A_DURATION}`],
    [(it) => it.duration('delay', 0, { min: 1 }), 'delay: must be greater than 0, not 0'],
    [(it) => it.duration('delay', '1s', { min: 2_000 }), 'delay: must be at least 2s, not "1s"'],
    [(it) => it.duration('delay', '3s', { max: 2_000 }), 'delay: must be at most 2s, not "3s"'],
    [(it) => it.count('size', 1.5), 'size: must be an integer, not 1.5'],
    [(it) => it.count('size', -1, { min: 0 }), 'size: must be an integer of at least 0, not -1'],
    [(it) => it.count('size', 9, { max: 8 }), 'size: must be an integer of at most 8, not 9'],
    [
      (it) => it.count('port', '80' as never, { min: 0, max: 65_535 }),
      'port: must be an integer from 0 to 65535, not "80"',
    ],
    [(it) => it.number('jitter', Number.NaN), 'jitter: must be a number, not NaN'],
    [(it) => it.choice<string>('mode', 'c', ['a', 'b']), 'mode: must be one of "a", "b", not "c"'],
    [(it) => it.text('name', ''), 'name: must be a non-empty string, not ""'],
    [(it) => it.flag('on', 'yes' as never), 'on: must be true or false, not "yes"'],
    [(it) => it.callable('work', 7), 'work: must be a function, not 7'],
    [
      (it) =>
        it.attempt(
          'file',
          () => {
            throw new Error('no such file');
          },
          '',
        ),
      'file: no such file',
    ],
    [(it) => it.add('', 'give either tls or credentials'), 'give either tls or credentials'],
  ])('notes %p as a mistake', (read, mistake) => {
    const mistakes = new Mistakes();
    read(mistakes);
    expect(mistakes.found).toEqual([mistake]);
  });

  it('goes on with a value that is within the bounds', () => {
    const mistakes = new Mistakes();
    expect([
      mistakes.duration('a', 'x', { min: 5 }),
      mistakes.count('b', 1.5, { min: 3 }),
      mistakes.count('c', 1.5),
      mistakes.choice<string>('d', 'z', ['x', 'y']),
    ]).toEqual([5, 3, 0, 'x']);
  });

  it('throws all of them together, and nothing where there are none', () => {
    const mistakes = new Mistakes();
    const make = (found: readonly string[]): Error => new OptionsError('grpc', found);
    mistakes.throwIfAny(make);
    mistakes.duration('keepAlive.time', 'x');
    mistakes.count('port', -1, { min: 0 });
    expect(() => mistakes.throwIfAny(make)).toThrow(
      expect.objectContaining({
        name: 'OptionsError',
        mistakes: mistakes.found,
        message:
          `grpc: 2 mistakes:\n  keepAlive.time: "x" ${NOT_A_DURATION}\n` +
          '  port: must be an integer of at least 0, not -1',
      }),
    );
  });
});

describe('mistakesText', () => {
  it('puts one mistake on one line', () => {
    expect(mistakesText('cron: job sweep', ['every: is missing'])).toBe(
      'cron: job sweep: every: is missing',
    );
  });
});
