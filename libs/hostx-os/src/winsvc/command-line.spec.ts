import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { commandLine } from './command-line.js';

/** How Windows takes a command line apart, CommandLineToArgvW. */
function argumentsOf(line: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < line.length;) {
    let text = '';
    let isQuoted = false;
    for (; at < line.length && (isQuoted || line[at] !== ' '); at++) {
      let slashes = 0;
      while (line[at + slashes] === '\\') slashes++;
      if (line[at + slashes] === '"') {
        text += '\\'.repeat(Math.floor(slashes / 2));
        at += slashes;
        if (slashes % 2 === 1) text += '"';
        else isQuoted = !isQuoted;
      } else if (slashes > 0) {
        text += '\\'.repeat(slashes);
        at += slashes - 1;
      } else {
        text += line[at]!;
      }
    }
    found.push(text);
    while (line[at] === ' ') at++;
  }
  return found;
}

describe('a command line', () => {
  it('quotes what has spaces, and leaves the rest alone', () => {
    expect(commandLine('C:\\Program Files\\node.exe', ['C:\\shop\\main.js', '', 'say "hi"'])).toBe(
      '"C:\\Program Files\\node.exe" C:\\shop\\main.js "" "say \\"hi\\""',
    );
  });

  it('is taken apart into the same arguments', () => {
    const argument = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '/'), maxLength: 8 });
    fc.assert(
      fc.property(argument, fc.array(argument), (program, args) => {
        expect(argumentsOf(commandLine(program, args))).toEqual([program, ...args]);
      }),
    );
  });
});
