import { describe, expect, it } from '@jest/globals';
import { unreadableValues } from '@apix/contracts/testing';
import { stackWithCauses } from './stack-with-causes.js';

describe('the stack of an error', () => {
  it('has those of its causes, each once where they go in circles', () => {
    const inner = new Error('inner');
    const outer = new Error('outer', { cause: inner });
    inner.cause = outer;
    expect(stackWithCauses(outer)).toBe(`${outer.stack}\nCaused by: ${inner.stack}`);
  });

  it('ends after ten causes', () => {
    let error = new Error('0');
    for (let i = 1; i <= 20; i++) error = new Error(String(i), { cause: error });
    expect(stackWithCauses(error)!.match(/Caused by/g)).toHaveLength(10);
  });

  it('has the text of a cause that is no error', () => {
    const error = new Error('outer', { cause: 'disk full' });
    expect(stackWithCauses(error)).toBe(`${error.stack}\nCaused by: disk full`);
  });

  it('ends where there is no cause', () => {
    const error = new Error('outer', { cause: null });
    expect(stackWithCauses(error)).toBe(error.stack);
  });

  it.each(unreadableValues())('never throws for %s, also as a cause', (_, thrown) => {
    expect(stackWithCauses(new Error('outer', { cause: thrown }))).toContain('outer');
    expect(typeof stackWithCauses(thrown)).toMatch(/^(string|undefined)$/);
  });

  it.each([
    ['a text', 'boom'],
    ['nothing', undefined],
  ])('is undefined for %s', (_, thrown) => {
    expect(stackWithCauses(thrown)).toBeUndefined();
  });
});
