import { describe, expect, it } from '@jest/globals';
import { parseDocument } from 'yaml';
import { yamlFaultText } from './yaml-fault.js';

describe('the fault of a YAML file', () => {
  const QUOTES = 'a key and ":" inside a value; put a value with ": " in quotes';
  it.each([
    [
      'a: 1\n---\nb: 2',
      'a second document begins here, and only one is read; remove the line "---"',
    ],
    ['a: 1\n---\n', 'a second document begins here'],
    ['url: postgres: x', QUOTES],
    ['a: 1\n b: 2', QUOTES],
    ['a: !secret x', 'tags such as !secret are not supported'],
    ['a: @team', 'a value that begins with "@", "`" or "%" must be in quotes'],
    ['a:\n\tb: 1', 'tabs are not allowed as indentation; use spaces'],
    ['a: 1\na: 2', 'Map keys must be unique'],
  ])('%j is said with what to write', (text, said) => {
    for (const prettyErrors of [false, true]) {
      const document = parseDocument(text, { prettyErrors });
      const [fault] = [...document.errors, ...document.warnings];
      const shown = yamlFaultText(fault!);
      expect(shown).toMatch(prettyErrors ? / at line [12], column \d+$/ : /[^:]$/);
      expect(shown.startsWith(said)).toBe(true);
    }
  });
});
