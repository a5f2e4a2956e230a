import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const page = join(import.meta.dirname, '../../docs/guides/existing-app.md');
const BLOCK = /(?:^[^\n]*`([^`\n]+)`[^\n]*:\n\n)?^```([^\n]*)\n([^]*?)^```$/gm;
const TABLE = /^\| answer +\| member +\| before +\| after +\|\n[^\n]*\n((?:\|[^\n]*\n)+)/gm;

/**
 * The guide, as what can be executed of it: files that it shows of the app as it is, and its days.
 * Of a day, `actions` are done in the order of the page; `undo` are its commands to take them back.
 */
export async function readGuide() {
  const [before, ...sections] = (await readFile(page, 'utf8')).split(/^(?=## )/m);
  const days = sections.filter((section) => section.startsWith('## Day '));
  return {
    shown: [...before.matchAll(BLOCK), ...sections[0].matchAll(BLOCK)]
      .map(([, file, , text]) => ({ file, text }))
      .filter(({ file }) => file !== undefined),
    days: days.map((section) => ({
      title: /^## (.*)$/m.exec(section)[1],
      actions: [...section.matchAll(BLOCK)].flatMap(actionOf),
      undo: [...section.matchAll(BLOCK)]
        .filter(([, , info]) => info === 'sh undo')
        .map(([, , , text]) => text),
      differences: [...section.matchAll(TABLE)].flatMap(([, rows]) => rowsOf(rows)),
    })),
  };
}

function actionOf([, file, info, text]) {
  if (info === 'sh') return [{ kind: 'command', text }];
  if (info === 'diff') return [{ kind: 'diff', file: known(file, text), text }];
  if (info === 'diff jest') return [{ kind: 'diff', file: known(file, text), text, onJest: true }];
  if (file !== undefined && !info.includes(' ') && info !== 'text')
    return [{ kind: 'file', file, text }];
  return [];
}

function known(file, text) {
  if (file === undefined) throw new Error(`the page does not say of which file this is:\n${text}`);
  return file;
}

function rowsOf(rows) {
  return rows
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
    .map(([answer, member, before, after]) => ({ answer, member, before, after }));
}
