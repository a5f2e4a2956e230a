import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyDiff, reversed } from './diff-block.mjs';
import { shell } from './shell.mjs';
import { withoutExtension } from './stock-app.mjs';

/** Does what the page says for a day; gives back everything that npm printed. */
export async function doDay({ folder, nest }, { actions }) {
  let printed = '';
  for (const { kind, file, text } of actions.filter(concerning(nest))) {
    if (kind === 'command') printed += await shell(folder, text);
    else if (kind === 'file') await writeFile(join(folder, file), inStyleOf(nest, text));
    else await edit(join(folder, file), (old) => applyDiff(old, inStyleOf(nest, text), file));
  }
  return printed;
}

/** Takes it back as the page says: its commands, and the lines of its diffs. */
export async function undoDay({ folder, nest }, { actions, undo }) {
  for (const { kind, file, text } of actions.filter(concerning(nest)).toReversed()) {
    if (kind !== 'diff') continue;
    await edit(join(folder, file), (now) => applyDiff(now, reversed(inStyleOf(nest, text)), file));
  }
  for (const command of undo) await shell(folder, command);
}

/** The CLI of Nest 11 makes apps that Jest tests, that of Nest 12 has Vitest for it. */
function concerning(nest) {
  return ({ onJest = false }) => !onJest || nest === '11';
}

function inStyleOf(nest, text) {
  return nest === '11' ? withoutExtension(text) : text;
}

async function edit(file, change) {
  await writeFile(file, change(await readFile(file, 'utf8')));
}

/** Everything that the team keeps under version control. */
export async function filesOf(folder) {
  const files = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (!entry.isFile() || /^(node_modules|dist|package-lock\.json)|\.tsbuildinfo$/.test(path))
      continue;
    files.set(path, await readFile(join(folder, path), 'utf8'));
  }
  return files;
}
