import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { decisionMistakes, indexMistakes, mentionMistakes } from './decisions.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the decisions', () => {
  it('have numbers of their own, headings and dates', () => {
    expect(decisionMistakes(root)).toEqual([]);
  });

  it('are all in the index, which lists nothing else', () => {
    expect(indexMistakes(root)).toEqual([]);
  });

  it('exist wherever code or a page names one', () => {
    expect(mentionMistakes(root)).toEqual([]);
  });
});

const FOLDER = 'docs/decisions';
const decision = (number: string): string => `# ${number} Title\n\nDate: 2026-11-22\n\nText.\n`;
const row = (number: string, title: string, file: string): string =>
  `| ${number}   | [${title}](${file}) | short |\n`;
/** Not written out, because this file is among those that are searched. */
const missing = ['docs', 'decisions', '9999'].join('/');

describe('a repository', () => {
  it.each([
    ['without mistakes', decisionMistakes, {}, []],
    [
      'with a number twice',
      decisionMistakes,
      { [`${FOLDER}/0001-b.md`]: decision('0001') },
      [`${FOLDER}/0001-b.md: 0001-a.md has the number 0001`],
    ],
    [
      'with another number in the heading',
      decisionMistakes,
      { [`${FOLDER}/0002-b.md`]: decision('0003') },
      [`${FOLDER}/0002-b.md: must begin with "# 0002 Title", an empty line and "Date: YYYY-MM-DD"`],
    ],
    [
      'with a date that does not exist',
      decisionMistakes,
      { [`${FOLDER}/0002-b.md`]: decision('0002').replace('11-22', '11-31') },
      [`${FOLDER}/0002-b.md: must begin with "# 0002 Title", an empty line and "Date: YYYY-MM-DD"`],
    ],
    [
      'with another file among the decisions',
      decisionMistakes,
      { [`${FOLDER}/draft.md`]: '' },
      [`${FOLDER}/draft.md: the name must be NNNN-title.md`],
    ],
    ['with a full index', indexMistakes, {}, []],
    [
      'with a decision outside the index',
      indexMistakes,
      { [`${FOLDER}/0002-b.md`]: decision('0002') },
      [`${FOLDER}/README.md: 0002-b.md is missing`],
    ],
    [
      'with a dead entry in the index',
      indexMistakes,
      {
        [`${FOLDER}/README.md`]: row('0001', 'Title', '0001-a.md') + row('0002', 'B', '0002-b.md'),
      },
      [`${FOLDER}/README.md: 0002-b.md does not exist`],
    ],
    [
      'with a decision twice in the index',
      indexMistakes,
      { [`${FOLDER}/README.md`]: row('0001', 'Title', '0001-a.md').repeat(2) },
      [`${FOLDER}/README.md: 0001-a.md is listed again`],
    ],
    [
      'with another title in the index',
      indexMistakes,
      { [`${FOLDER}/README.md`]: row('0001', 'Old', '0001-a.md') },
      [`${FOLDER}/README.md: 0001-a.md is listed as 0001 "Old"`],
    ],
    [
      'with code that names a decision',
      mentionMistakes,
      { 'libs/x/src/a.ts': '// Why: docs/decisions/0001' },
      [],
    ],
    [
      'with code that names a decision that does not exist',
      mentionMistakes,
      { 'libs/x/src/a.ts': `// Why: ${missing}` },
      [`libs/x/src/a.ts: ${missing} does not exist`],
    ],
    [
      'with a README that names a decision that does not exist',
      mentionMistakes,
      { 'README.md': `See [it](${missing}-a.md)` },
      [`README.md: ${missing} does not exist`],
    ],
    [
      'with a dead mention in code of others',
      mentionMistakes,
      { 'libs/x/node_modules/a.ts': `// Why: ${missing}` },
      [],
    ],
  ])('%s has its mistakes listed', (_, find, more, mistakes) => {
    const folder = mkdtempSync(join(tmpdir(), 'apix-decisions-'));
    const files: Record<string, string> = {
      [`${FOLDER}/0001-a.md`]: decision('0001'),
      [`${FOLDER}/README.md`]: row('0001', 'Title', '0001-a.md'),
      ...more,
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    expect(find(folder)).toEqual(mistakes);
    rmSync(folder, { recursive: true });
  });
});
