import { describe, expect, it } from '@jest/globals';
import { printable } from './printable.js';

describe('text for a terminal', () => {
  it.each([
    ['lines and tabs', 'a\n\tb', 'a\n\tb'],
    ['letters of every script', 'Grüße 你好 שלום 🌹', 'Grüße 你好 שלום 🌹'],
    ['an escape', '\u001b[2J', '\\u{1b}[2J'],
    ['a return', 'a\rb', 'a\\u{d}b'],
    ['a control of eight bits', '\u009b31m', '\\u{9b}31m'],
    ['text turned around', 'a\u202eb', 'a\\u{202e}b'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
  ])('%s', (_what, text, printed) => {
    expect(printable(text)).toBe(printed);
  });
});
