import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { JsonError, readJsonText } from './json-document.js';

describe('a JSON file', () => {
  it.each<[string, string, unknown]>([
    ['comments', '// a\n{ /* b */ "a": 1, // c\n  "b": [2 /* d */] }\n// e', { a: 1, b: [2] }],
    ['commas after the last member', '{"a": [1, 2,], }', { a: [1, 2] }],
    ['a byte order mark', '\uFEFF{"a": 1}', { a: 1 }],
    ['lines of Windows', '{\r\n"a": 1\r\n}\r\n', { a: 1 }],
    [
      'comments in strings',
      '{"a": "// no /* comment */ # this"}',
      { a: '// no /* comment */ # this' },
    ],
    ['a scalar', 'null', null],
  ])('may have %s', (_, text, value) => {
    expect(readJsonText(text).value).toEqual(value);
  });

  it.each<[string, string, number, string]>([
    ['nothing', '', 1, 'has no value; write {} if nothing is set'],
    ['only a comment', '\n// {"a": 1}\n', 3, 'has no value'],
    ['a name twice', '{\n"a": 1,\n"b": 2,\n"a": 3}', 4, '"a" is already set in line 2'],
    ['a comment of YAML', '{\n"a": 1 # why\n}', 2, 'a comment in JSON begins with //'],
    ['a comment without an end', '{\n"a": 1 /* why\n}', 2, 'is between /* and */'],
    ['names without quotes', '{\na: 1}', 2, 'a name in double quotes is expected'],
    ['single quotes', "{'a': 1}", 1, 'a name in double quotes is expected'],
    ['no colon', '{"a" 1}', 1, '":" is expected after a name'],
    ['no comma', '{"a": 1\n"b": 2}', 2, '"," or "}" is expected'],
    ['no comma in an array', '[1 2]', 1, '"," or "]" is expected'],
    ['two commas', '[1,,2]', 1, 'a value is expected'],
    ['no end', '{"a": {\n"b": 1', 2, '"," or "}" is expected'],
    ['two values', '{}\n{}', 2, 'nothing but comments may follow the value'],
    ['a number of YAML', '{"a": 0x10}', 1, 'a value is expected'],
    ['a word', '{"a": yes}', 1, 'a value is expected'],
    ['a longer word', '{"a": nullable}', 1, 'a value is expected'],
    ['a line break in a string', '{"a": "x\ny"}', 1, 'a string is not valid'],
    ['a string without an end', '{"a": "secret', 1, 'a string is not valid'],
    ['too many levels', '['.repeat(600), 1, 'has more than 500 levels'],
  ])('with %s is refused with its line', (_, text, line, message) => {
    const read = (): unknown => readJsonText(text);
    expect(read).toThrow(JsonError);
    expect(read).toThrow(
      expect.objectContaining({ line, message: expect.stringContaining(message) }),
    );
    expect(read).not.toThrow(/secret/);
  });

  it('gives the line of each value', () => {
    const { lineOf } = readJsonText('// a\n{\n  "a": {\n    "b": [1,\n 2]\n  }\n}');
    expect(lineOf([])).toBe(2);
    expect(lineOf(['a', 'b', 1])).toBe(5);
    expect(lineOf(['a', 'c'])).toBeUndefined();
  });

  it('has its members as they are, also one called __proto__', () => {
    const value = readJsonText('{"__proto__": {"a": 1}}').value as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, '\t'), (text, indent) => {
        const value: unknown = JSON.parse(text);
        expect(readJsonText(JSON.stringify(value, null, indent)).value).toEqual(value);
      }),
    );
  });
});
