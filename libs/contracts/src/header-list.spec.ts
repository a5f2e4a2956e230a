import { describe, expect, it } from '@jest/globals';
import { headerList } from './header-list.js';

describe('headerList', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    [' , ,', []],
    ['a', ['a']],
    ['a, b\t,c', ['a', 'b', 'c']],
    ['a;x="1,2", b', ['a;x="1,2"', 'b']],
    [String.raw`a;x="\",", b`, [String.raw`a;x="\","`, 'b']],
    [String.raw`a;x="\\", b`, [String.raw`a;x="\\"`, 'b']],
    ['a, "b, c', ['a', '"b, c']],
    ['"', ['"']],
    [String.raw`"\ `, [String.raw`"\ `.trim()]],
  ])('splits %j outside of quotes', (text, elements) => {
    expect(headerList(text)).toEqual(elements);
  });

  it('splits parameters at semicolons', () => {
    const form = { separator: ';', escapes: true } as const;
    expect(headerList('a/b; x="1;2" ;q=0', form)).toEqual(['a/b', 'x="1;2"', 'q=0']);
  });

  it('takes a backslash for a character where nothing is escaped', () => {
    const form = { separator: ',', escapes: false } as const;
    expect(headerList(String.raw`"a\", "b"`, form)).toEqual([String.raw`"a\"`, '"b"']);
  });
});
