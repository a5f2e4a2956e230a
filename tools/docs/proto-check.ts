import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assembleProtoTree } from '../generate/proto-tree.js';
import type { CodeBlock } from './code-blocks.js';

const require = createRequire(join(process.cwd(), 'package.json'));

interface Annotation {
  readonly start_line: number;
  readonly message: string;
}

/**
 * What buf says of .proto blocks, each built by itself, so that two pages may show the same
 * package; one without `syntax` gets it, and a package.
 */
export function protoMistakes(root: string, blocks: readonly CodeBlock[]): string[] {
  const tree = mkdtempSync(join(tmpdir(), 'apix-pages-'));
  try {
    assembleProtoTree(root, tree);
    return blocks.flatMap((block) => mistakesOf(block, tree));
  } finally {
    rmSync(tree, { recursive: true });
  }
}

function mistakesOf(block: CodeBlock, tree: string): string[] {
  const head = headOf(block);
  writeFileSync(join(tree, 'page.proto'), head + block.code);
  return build(tree, 'page.proto').map(({ start_line, message }) => {
    const line = start_line - head.split('\n').length;
    const where = line < 0 ? `${block.place} (given)` : `${block.page}:${block.line + line}`;
    return `${where}: ${message}`;
  });
}

function headOf({ code, given }: CodeBlock): string {
  return code.includes('syntax =') ? given : `syntax = "proto3";\npackage page;\n${given}`;
}

function build(tree: string, file: string): Annotation[] {
  const home = dirname(require.resolve('@bufbuild/buf/package.json'));
  const options = ['--error-format=json', '--path', file, '-o', '/dev/null'];
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(home, 'bin/buf'), 'build', ...options],
    { cwd: tree, encoding: 'utf8' },
  );
  if (status === 0) return [];
  return stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Annotation);
}
