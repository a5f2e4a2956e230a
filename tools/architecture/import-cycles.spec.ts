import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { graphOf, readFolderGraph } from './folder-graph.js';
import { cyclesIn, noCycles } from './import-cycles.js';
import { type Package, readPackages } from './package-tree.js';
import { fakePackage } from './package.fixture.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const CYCLES: readonly (readonly [string, readonly Package[], readonly string[]])[] = [
  [
    'over several files',
    [
      fakePackage('authz', {
        'a.ts': "import './b.js';",
        'b.ts': "import { a } from './c/c.js';",
        'c/c.ts': "export { a } from '../a.js';",
      }),
    ],
    ['authz/a.ts -> authz/b.ts -> authz/c/c.ts -> authz/a.ts'],
  ],
  [
    'of types only',
    [
      fakePackage('authz', {
        'a.ts': "import type { B } from './b.js';",
        'b.ts': "import { type A } from './a.js';",
      }),
    ],
    ['authz/a.ts -> (type) authz/b.ts -> (type) authz/a.ts'],
  ],
  [
    'by import() of a type',
    [fakePackage('authz', { 'a.ts': "type B = import('./b.js').B;", 'b.ts': "import './a.js';" })],
    ['authz/a.ts -> (type) authz/b.ts -> authz/a.ts'],
  ],
  [
    'through another package',
    [
      fakePackage('authz', {
        'index.ts': "export { a } from './a.js';",
        'a.ts': "import type { L } from '@apix/logx/core';",
      }),
      fakePackage('logx', {
        'core/index.ts': "export { l } from '../l.js';",
        'l.ts': "import type { A } from '@apix/authz';",
      }),
    ],
    ['authz/a.ts -> (type) logx/core/index.ts -> logx/l.ts -> (type) authz/index.ts -> authz/a.ts'],
  ],
  [
    'of a file with itself',
    [fakePackage('authz', { 'a.ts': "import type { A } from './a.js';" })],
    ['authz/a.ts -> (type) authz/a.ts'],
  ],
  [
    'that share a file, each once',
    [
      fakePackage('authz', {
        'a.ts': "import './b.js'; import './c.js'; import type { B } from './b.js';",
        'b.ts': "import './a.js';",
        'c.ts': "import type { A } from './a.js';",
        'd.ts': "import './a.js';",
      }),
    ],
    ['authz/a.ts -> authz/b.ts -> authz/a.ts', 'authz/a.ts -> authz/c.ts -> (type) authz/a.ts'],
  ],
];

describe('import cycles', () => {
  it('are in no file of libs/', () => {
    expect(noCycles(readPackages(root))).toEqual([]);
  });

  it.each(['apps', 'bench', 'conformance', 'tools'])('are in no file of %s/', (folder) => {
    const graph = readFolderGraph(root, folder);
    expect(graph.size).toBeGreaterThan(50);
    expect(cyclesIn(graph)).toEqual([]);
  });

  it('outside of libs/ are found in TypeScript and JavaScript', () => {
    const graph = graphOf(
      new Map([
        ['bench/all.mjs', "import './run/run.mjs';"],
        ['bench/run/run.mjs', "import { a } from './a.js'; import 'node:fs';"],
        ['bench/run/a.ts', "import type { B } from './b.ts';"],
        ['bench/run/b.ts', "export { all } from '../all.mjs'; import './missing.js';"],
      ]),
    );
    expect(cyclesIn(graph)).toEqual([
      'bench/all.mjs -> bench/run/run.mjs -> bench/run/a.ts -> (type) bench/run/b.ts -> bench/all.mjs',
    ]);
  });

  it.each(CYCLES)('%s are found', (_, packages, cycles) => {
    expect(noCycles(packages)).toEqual(cycles);
  });

  it('are not made of two ways down to the same file', () => {
    const diamond = fakePackage('authz', {
      'a.ts': "import './b.js'; import './c.js';",
      'b.ts': "import './d.js';",
      'c.ts': "import type { D } from './d.js';",
      'd.ts': "import type { Logger } from '@apix/logx';",
    });
    expect(noCycles([diamond])).toEqual([]);
  });
});
