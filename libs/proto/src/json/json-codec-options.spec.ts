import { OptionsError } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { kinds } from '../kinds.fixture.js';
import { JsonCodec } from './json-codec.js';

const WRONG: readonly (readonly [string, unknown, string])[] = [
  ['emitDefaults', 'some', 'must be one of "none", "values", "all", not "some"'],
  ['protoNames', 'yes', 'must be true or false, not "yes"'],
  ['enumsAsNumbers', 1, 'must be true or false, not 1'],
  ['unknownFields', 'ignored', 'must be one of "refuse", "ignore", not "ignored"'],
  ['maxDepth', 0, 'must be an integer of at least 1, not 0'],
  ['unknownField', 'ignore', 'is not known here; did you mean unknownFields?'],
];

const make = (options: object) => (): unknown => new JsonCodec(kinds.registry, options);

describe('a JsonCodec', () => {
  it.each(WRONG)('is not made with a wrong option %s: %p', (name, value, mistake) => {
    expect(make({ [name]: value })).toThrow(
      new OptionsError('proto: JsonCodec', [`${name}: ${mistake}`]),
    );
  });

  it('is not made with a depth that is not a number', () => {
    expect(make({ maxDepth: NaN })).toThrow(OptionsError);
  });

  it('reports all mistakes of its options together', () => {
    const options = Object.fromEntries(WRONG.map(([name, value]) => [name, value]));
    const mistakes = WRONG.map(([name, , mistake]) => `${name}: ${mistake}`);
    expect(make(options)).toThrow(new OptionsError('proto: JsonCodec', mistakes));
  });
});
