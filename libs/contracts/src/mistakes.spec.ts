import { describe, expect, it } from '@jest/globals';
import { Mistakes, OptionsError, mistakesText } from './mistakes.js';

describe('Mistakes', () => {
  it('returns what can be read', () => {
    const mistakes = new Mistakes();
    expect(mistakes.attempt('x', () => 'read', '')).toBe('read');
    expect(mistakes.found).toEqual([]);
  });

  it.each<[(mistakes: Mistakes) => unknown, string]>([
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

  it('throws all of them together, and nothing where there are none', () => {
    const mistakes = new Mistakes();
    const make = (found: readonly string[]): Error => new OptionsError('grpc', found);
    mistakes.throwIfAny(make);
    mistakes.add('keepAlive.time', 'is wrong');
    mistakes.add('port', 'is too low');
    expect(() => mistakes.throwIfAny(make)).toThrow(
      expect.objectContaining({
        name: 'OptionsError',
        mistakes: mistakes.found,
        message: 'grpc: 2 mistakes:\n  keepAlive.time: is wrong\n  port: is too low',
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
