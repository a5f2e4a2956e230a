import { describe, expect, it } from '@jest/globals';
import { mutantsOf, mutated } from './mutants.js';

const FILE = 'libs/x/src/x.ts';

/** The text with each mutant in it. */
const texts = (text: string): string[] =>
  mutantsOf(FILE, text).map((mutant) => mutated(text, mutant));

describe('mutantsOf', () => {
  it.each<[string, string, string[]]>([
    ['a comparison', 'f = a === b', ['f = a !== b', ';']],
    ['a bound', 'x(a < b)', ['x(a <= b)', ';']],
    ['a default', 'x(a ?? b)', ['x(a && b)', ';']],
    ['a condition', 'if (a) b', ['if (true) b', 'if (false) b']],
    ['a choice', 'const c = a ? d : e', ['const c = true ? d : e', 'const c = false ? d : e']],
    ['a flag', 'const c = true', ['const c = false']],
    ['a negation', 'const c = !a', ['const c = a']],
    ['a number', 'const c = 5', ['const c = (5 + 1)']],
    ['a text', "const c = 'a'", ["const c = ''"]],
    ['an empty text', "const c = ''", ["const c = 'mutant'"]],
    ['a list', 'const c = [a]', ['const c = []']],
    ['a result', 'const c = () => { return a }', ['const c = () => { return undefined }']],
    ['an optional member', 'const c = a?.b', ['const c = a.b']],
    ['an optional call', 'const c = a?.(b)', ['const c = a(b)']],
    ['the value of a member', "const c = { 'a-b': 'c' }", ["const c = { 'a-b': '' }"]],
  ])('changes %s', (_, text, wanted) => {
    expect(texts(text).filter((each) => each !== 'b;' && each !== 'if (a) ;')).toEqual(
      expect.arrayContaining(wanted),
    );
  });

  it.each([
    ["import a from './a.js'"],
    ["export { a } from './a.js'"],
    ["type A = 'a' | 5"],
    ["interface A { a: 'b' }"],
    ["const c = a as 'b'"],
    ["const c = await import('./a.js')"],
    ['const c = `${a}` + b'],
  ])('leaves alone %s', (text) => {
    expect(texts(text)).toEqual([]);
  });

  it('gives a mutant the place that a reader looks for, and an id that stays', () => {
    const [mutant] = mutantsOf(FILE, '\nconst c = true;\n');
    expect(mutant).toMatchObject({ file: FILE, line: 2, before: 'true', after: 'false' });
    expect(mutantsOf(FILE, '\nconst c = true;\n')[0]!.id).toBe(mutant!.id);
    expect(mutantsOf(FILE, '\n\nconst c = true;\n')[0]!.id).not.toBe(mutant!.id);
  });
});
