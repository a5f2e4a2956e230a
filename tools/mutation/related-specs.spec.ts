import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ImportGraph } from './related-specs.js';

const FILES: Readonly<Record<string, string>> = {
  'libs/a/src/deep.ts': 'export const deep = 1;',
  'libs/a/src/near.ts': "export { deep } from './deep.js';",
  'libs/a/src/index.ts': "export { deep } from './near.js';",
  'libs/a/src/types.ts': "import type { T } from './deep.js';",
  'libs/a/src/deep.spec.ts': "import { deep } from './deep.js';",
  'libs/a/src/index.spec.ts': "import { deep } from './index.js';",
  'libs/a/src/types.spec.ts': "import './types.js';",
  'libs/a/src/inner/kept.fixture.ts': "import { deep } from '../inner/kept.js';",
  'libs/a/src/inner/kept.ts': 'export const kept = 1;',
  'libs/a/src/inner/kept-promise.spec.ts': "import './kept.fixture.js';",
  'libs/a/src/user.spec.ts': "import './inner/kept.js';",
  'libs/a/src/other.spec.ts': 'export {};',
  'libs/b/src/b.spec.ts': "import { deep } from '@apix/a';",
  'libs/a/dist/old.spec.ts': "import '../src/deep.js';",
  'apps/demo/demo.spec.ts': "await import('@apix/a');",
  'tools/t.ts': 'export {};',
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'import-graph-'));
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

it('finds the spec files that reach a file, the nearest of its package first', () => {
  const graph = new ImportGraph(root);
  expect(graph.specsOf('libs/a/src/deep.ts')).toEqual([
    'libs/a/src/deep.spec.ts',
    'libs/a/src/index.spec.ts',
    'apps/demo/demo.spec.ts',
    'libs/b/src/b.spec.ts',
  ]);
  expect(graph.specsOf('libs/a/src/types.ts')).toEqual(['libs/a/src/types.spec.ts']);
  expect(graph.specsOf('libs/a/src/inner/kept.ts')).toEqual([
    'libs/a/src/inner/kept-promise.spec.ts',
    'libs/a/src/user.spec.ts',
  ]);
  expect(graph.specsOf('tools/t.ts')).toEqual([]);
});
