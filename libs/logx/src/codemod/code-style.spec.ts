import { describe, expect, it } from '@jest/globals';
import { indentAt, styleOf } from './code-style.js';

describe('the style of a file', () => {
  it.each([
    [
      "import a from 'a';\nif (a) {\n  a();\n}\n",
      { quote: "'", eol: '\n', semicolon: ';', indent: '  ' },
    ],
    [
      'import a from "a"\r\nif (a) {\r\n\ta()\r\n}\r\n',
      { quote: '"', eol: '\r\n', semicolon: '', indent: '\t' },
    ],
    [
      "import a from 'a'\nif (a) {\n    a(b)\n}\n",
      { quote: "'", eol: '\n', semicolon: '', indent: '    ' },
    ],
    ["\uFEFFimport 'a';\n", { quote: "'", eol: '\n', semicolon: ';', indent: '  ' }],
    ['a()\n', { quote: "'", eol: '\n', semicolon: '', indent: '  ' }],
  ])('is what it has: %j', (text, style) => {
    expect(styleOf({ text })).toEqual(style);
  });
});

describe('the indentation of a place', () => {
  const text = '  one {\n\ttwo\nthree\n';

  it.each([
    ['one', '  '],
    ['{', '  '],
    ['two', '\t'],
    ['\ttwo', '\t'],
    ['three', ''],
  ])('at %j is that of its line: %j', (what, indent) => {
    expect(indentAt(text, text.indexOf(what))).toBe(indent);
  });
});
