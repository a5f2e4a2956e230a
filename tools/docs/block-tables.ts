import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BlockTable } from './guide-blocks.js';

/** What is checked by a test or script that names it, and what by none; see docs/decisions/0120. */
export function tableAt(root: string): BlockTable {
  return read(root, 'tools/docs/blocks.json');
}

/** That, and the commands of the guides. */
export function blockTables(root: string): readonly BlockTable[] {
  return [tableAt(root), read(root, 'conformance/guides/blocks.json')];
}

function read(root: string, file: string): BlockTable {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as BlockTable;
}
