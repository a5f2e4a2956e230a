import { expect, it } from '@jest/globals';
import type { Package } from '../architecture/package-tree.js';
import { parseImports } from '../architecture/parse-imports.js';
import { byFloor } from './floor-order.js';

function fakePackage(folder: string, texts: Readonly<Record<string, string>>): Package {
  return {
    folder,
    manifest: { name: `@apix/${folder}`, version: '1.0.0' },
    modules: Object.entries(texts).map(([path, text]) => ({ path, ...parseImports(text) })),
    references: [],
    hasReadme: true,
  };
}

const PACKAGES = [
  fakePackage('contracts', { 'index.ts': "export { a } from './a.js';", 'a.ts': '' }),
  fakePackage('authz', {
    'a-low.ts': "import type { A } from '@apix/contracts';",
    'b-middle.ts': "import type { Low } from './a-low.js';",
    'c-high.ts': "import { b } from './b-middle.js'; import './loop.js';",
    'loop.ts': "import type { C } from './c-high.js';",
  }),
  fakePackage('grpc', { 'z.ts': "import { a } from '@apix/authz';" }),
];

it('Floors order packages, and files in a package, from the top down', () => {
  const paths = [
    'authz/a-low.ts',
    'authz/b-middle.ts',
    'authz/c-high.ts',
    'authz/unknown.ts',
    'contracts/a.ts',
    'grpc/z.ts',
  ];
  expect(paths.toSorted(byFloor(PACKAGES))).toEqual([
    'grpc/z.ts',
    'authz/c-high.ts',
    'authz/b-middle.ts',
    'authz/a-low.ts',
    'authz/unknown.ts',
    'contracts/a.ts',
  ]);
});
