// A page, and which of its commands were run.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const BLOCK = /(?:<!-- given\s([^]*?)-->\s*)?^```(\w+)(?: [^\n]*)?\n([^]*?)^```$/gm;
const COMMANDS = ['sh', 'console', 'powershell'];

/** Reads a page; `elsewhere` has what its blocks that another script runs begin with. */
export async function openPage(path, rows) {
  const text = await readFile(join(root, path), 'utf8');
  const blocks = [...text.matchAll(BLOCK)].map(([, given = '', language, code]) => ({
    language,
    code,
    given,
  }));
  const used = new Set();
  const elsewhere = rows.filter(({ by }) => by !== 'conformance:guides').map((row) => row.begins);
  return {
    /** A block of a language, by its number from 0; counts as run. */
    block(language, index = 0) {
      const found = blocks.filter((block) => block.language === language)[index];
      if (found === undefined) throw new Error(`${path} has no block ${index} in ${language}`);
      used.add(found);
      return found.code;
    },
    /** What the first block of a language needs and the page does not show. */
    given: (language, index = 0) =>
      blocks.filter((block) => block.language === language)[index].given,
    /** @throws Error that names the first command that nobody has run. */
    assertAllRun() {
      const left = blocks.find(
        (block) =>
          COMMANDS.includes(block.language) &&
          !used.has(block) &&
          !elsewhere.some((beginning) => block.code.startsWith(beginning)),
      );
      if (left !== undefined) throw new Error(`${path}: nobody runs\n${left.code}`);
    },
  };
}
