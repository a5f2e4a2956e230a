import { describe, expect, it } from '@jest/globals';
import { indentAt } from './code-style.js';
import { edited } from './edit.js';
import { migrate } from './migrate.js';

/** What becomes of a file. */
function changed(text: string): string {
  return edited(text, migrate([{ path: 'm.ts', text }])[0]!.edits);
}

describe('what is put into a file', () => {
  it.each(['', ';'])('ends in "%s" as its imports do', (end) => {
    const before = `import { LoggerModule } from 'nestjs-pino'${end}\nexport const M = LoggerModule.forRoot()${end}\n`;
    const after = changed(before);
    expect(after).toContain(`from '@apix/logx'${end}\n`);
    expect(after.match(/;/g) ?? []).toHaveLength(end === '' ? 0 : 2);
  });

  it.each([
    ['behind other text', '  a({\n    b: {', '{', '    '],
    ['in the first line', '\ta({', '{', '\t'],
    ['at the begin of a line, whatever the one before has', '  a(\n{', '{', ''],
    ['behind white space alone', 'a(\n    {', '{', '    '],
  ])('%s is indented as its line is', (_where, text, place, indent) => {
    expect(indentAt(text, text.lastIndexOf(place))).toBe(indent);
  });
});
