import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buf } from '../generate/buf.js';
import { assembleProtoTree } from '../generate/proto-tree.js';

/** Builds a descriptor set of one file, which is in `tree` of the folder with what it may import. */
export function buildSet(root: string, folder: string, name: string, source: string): string {
  const tree = join(folder, 'tree');
  rmSync(tree, { recursive: true, force: true });
  assembleProtoTree(root, tree);
  rmSync(join(tree, 'shop'), { recursive: true });
  writeFileSync(join(tree, 'orders.proto'), source);
  const set = join(folder, name);
  buf(tree, 'build', '--as-file-descriptor-set', '--path', 'orders.proto', '-o', set);
  return set;
}
