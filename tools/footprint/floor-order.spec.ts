import { expect, it } from '@jest/globals';
import { fakePackage } from '../architecture/package.fixture.js';
import { byFloor } from './floor-order.js';

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
