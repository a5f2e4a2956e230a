import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { fakePackage } from './package.fixture.js';
import {
  coreIsFreeOfNest,
  importsAreDeclared,
  importsFollowTheTable,
  importsGoDown,
  noOwnIndexIsImported,
  type Rule,
} from './import-rules.js';
import {
  exportsAreNamed,
  indexesAreSubpaths,
  manifestsFollowTheTable,
  node10FindsEveryEntry,
  packagesArePublishable,
} from './package-rules.js';
import { type Package, readPackages, referencesOf } from './package-tree.js';
import { responsesAreEndedByOneFunction } from './response-rules.js';
import { startsLoadLittle } from './start-rules.js';
import { PEER_FLOORS } from './peer-floors.js';
import {
  dependenciesAgree,
  missingPeersAreNamed,
  peersFollowTheTable,
  peersOfTheTableAreUsed,
} from './peer-rules.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = readPackages(root);

const RULES: readonly (readonly [string, Rule, readonly Package[], RegExp])[] = [
  [
    'a package imports only what the table allows',
    importsFollowTheTable,
    [fakePackage('authz', { 'a.ts': "import type { X } from '@apix/hostx/core';" })],
    /authz\/src\/a\.ts imports @apix\/hostx/,
  ],
  [
    'what is imported is declared in package.json',
    importsAreDeclared,
    [fakePackage('logx', { 'a.ts': "import 'node:fs'; await import('pino/file');" })],
    /logx\/src\/a\.ts imports pino,/,
  ],
  [
    'nobody imports an index of the own package',
    noOwnIndexIsImported,
    [fakePackage('authz', { 'nest/a.ts': "import { x } from '../core/index.js';" })],
    /nest\/a\.ts imports an index/,
  ],
  [
    'nobody imports the own package by name',
    noOwnIndexIsImported,
    [fakePackage('authz', { 'a.ts': "export { x } from '@apix/authz/core';" })],
    /a\.ts imports an index/,
  ],
  [
    'lower floors do not import doors',
    importsGoDown,
    [fakePackage('logx', { 'core/a.ts': "import { x } from '../nest/x.module.js';" })],
    /a lower floor, imports nest\/x\.module\.ts/,
  ],
  [
    'doors do not import each other',
    importsGoDown,
    [fakePackage('logx', { 'http/a.ts': "import type { x } from '../grpc/x.js';" })],
    /the door http\/, imports grpc\/x\.ts/,
  ],
  [
    'Nest is not reachable from /core',
    coreIsFreeOfNest,
    [
      fakePackage('authz', {
        'core/index.ts': "export { a } from '../a.js';",
        'a.ts': "import { b } from '@apix/contracts/nest';",
      }),
      fakePackage('contracts', { 'nest/index.ts': "import type { B } from '@nestjs/core';" }),
    ],
    /@nestjs\/core is reachable: .*core\/index\.ts -> .*a\.ts -> .*contracts\/src\/nest\/index\.ts/,
  ],
  [
    'Nest is not reachable from the transports',
    coreIsFreeOfNest,
    [
      fakePackage('grpc-client', {
        'transport/index.ts': "export type { B } from '@nestjs/core';",
      }),
    ],
    /@nestjs\/core is reachable: .*transport\/index\.ts/,
  ],
  [
    'a package loads little before it is used',
    startsLoadLittle,
    [
      fakePackage('logx', {
        'a.ts': "import type { Gzip } from 'node:zlib'; await import('node:zlib');",
        'b.ts': "import { createGzip } from 'node:zlib';",
      }),
    ],
    /^libs\/logx\/src\/b\.ts loads node:zlib before it is known/,
  ],
  [
    'a response is ended by the function that all share',
    responsesAreEndedByOneFunction,
    [
      fakePackage('hostx', {
        'a.ts': "function a(res: X) { res.writeHead(404).end(''); }",
        'b.ts': 'function b(sent: AnyResponse | null) { sent?.write(part); }',
        'c.ts': 'stream.pipe(reply.raw);',
        'd.ts': 'socket.end(); endResponse(res.writeHead(404));',
      }),
    ],
    /^libs\/hostx\/src\/a\.ts calls res\.end, .*\n.*\/b\.ts calls sent\.write, .*\n.*\/c\.ts calls response\.pipe, [^\n]*$/,
  ],
  [
    'exports are named, not starred',
    exportsAreNamed,
    [fakePackage('authz', { 'index.ts': "export * from './a.js';" })],
    /index\.ts has an `export \*`/,
  ],
  [
    'exports are named, not default',
    exportsAreNamed,
    [fakePackage('authz', { 'a.ts': 'export default class A {}' })],
    /a\.ts has a default export/,
  ],
  [
    'there are no inner barrels',
    indexesAreSubpaths,
    [fakePackage('authz', { 'inner/index.ts': '' }, { exports: {} })],
    /inner\/index\.ts is an index that package\.json does not export/,
  ],
  [
    'every subpath has its source',
    indexesAreSubpaths,
    [fakePackage('authz', {}, { exports: { './jwt': { default: './dist/jwt/index.js' } } })],
    /exports jwt\/index\.ts, which src does not have/,
  ],
  [
    'compilers that do not read exports find every entry',
    node10FindsEveryEntry,
    [
      fakePackage(
        'authz',
        {},
        {
          main: './dist/index.js',
          exports: {
            '.': { types: './dist/index.d.ts', default: './dist/index.js' },
            './jwt': { types: './dist/jwt/index.d.ts', default: './dist/jwt/index.js' },
          },
        },
      ),
    ],
    /main and types are not those.*typesVersions lacks \.\/jwt/s,
  ],
  [
    'a manifest brings along only what the table allows',
    manifestsFollowTheTable,
    [fakePackage('authz', {}, { dependencies: { lodash: '^4.0.0' } })],
    /authz depends on lodash/,
  ],
  [
    'the packages move in lockstep',
    manifestsFollowTheTable,
    [fakePackage('authz', {}, { dependencies: { '@apix/proto': '1.0.0' } })],
    /wants @apix\/proto in another range than \^1\.0\.0/,
  ],
  [
    'a build references what it depends on',
    manifestsFollowTheTable,
    [fakePackage('authz', {}, { dependencies: { '@apix/proto': '^1.0.0' } })],
    /tsconfig\.lib\.json does not reference @apix\/proto/,
  ],
  [
    'every package is in the table',
    manifestsFollowTheTable,
    [fakePackage('surprise', {})],
    /surprise is not in the dependency table/,
  ],
  [
    'every package has README, licence and what npm needs',
    packagesArePublishable,
    [{ ...fakePackage('authz', {}, { license: 'MIT', files: [] }), hasReadme: false }],
    /README.*licence.*dist/s,
  ],
  [
    'a peer has the range of the table',
    peersFollowTheTable,
    [fakePackage('gateway', {}, { peerDependencies: { ws: '^8.18.0' } })],
    /gateway\/package\.json has the peer ws \^8\.18\.0; .* says \^8\.21\.0/,
  ],
  [
    'the second of two lines has the range of the table',
    peersFollowTheTable,
    [
      fakePackage(
        'logx-otel',
        {},
        { peerDependencies: { '@opentelemetry/resources': '^2.12.0 || >=3.0.0' } },
      ),
    ],
    /resources \^2\.12\.0 \|\| >=3\.0\.0; .* says \^2\.12\.0 \|\| \^3\.0\.0/,
  ],
  [
    'every peer is in the table',
    peersFollowTheTable,
    [fakePackage('logx', {}, { peerDependencies: { lodash: '^4.0.0' } })],
    /logx\/package\.json has the peer lodash \^4\.0\.0, which is not in/,
  ],
  [
    'every row of the table is the peer of a package',
    peersOfTheTableAreUsed,
    [fakePackage('gateway', {}, { peerDependencies: { ws: '^8.21.0' } })],
    /has rxjs, which is no package's peer/,
  ],
  [
    'an optional peer is imported where the path says what to install',
    missingPeersAreNamed,
    [
      fakePackage(
        'authz',
        {
          'a.ts': "import { errors } from 'jose';",
          'b.ts': "import type { JWK } from 'jose'; await import('jose');",
          'npm-install/jose.ts': "export { errors } from 'jose';",
        },
        { peerDependenciesMeta: { jose: { optional: true } } },
      ),
    ],
    /^libs\/authz\/src\/a\.ts imports jose, not npm-install\/jose\.js$/,
  ],
  [
    'packages agree on a dependency that they share',
    dependenciesAgree,
    [
      fakePackage('authz', {}, { dependencies: { yaml: '^2.9.0' } }),
      fakePackage('logx', {}, { dependencies: { yaml: '^2.8.0' } }),
    ],
    /disagree on yaml: \^2\.9\.0 \(authz\) and \^2\.8\.0 \(logx\)/,
  ],
];

describe('the architecture', () => {
  const rules = new Map(RULES.map(([, rule]) => [rule.name, rule]));
  it.each([...rules])('of libs/ passes %s', (_, rule) => {
    expect(rule(packages)).toEqual([]);
  });

  it.each(RULES)('demands that %s', (_, rule, wrong, message) => {
    expect(rule(wrong).join('\n')).toMatch(message);
  });

  it.each(Object.entries(PEER_FLOORS))('has a reason for the floor of %s', (_, { reason }) => {
    expect(reason).toMatch(/^[A-Z0-9].+\.$/);
  });

  it('builds every package', () => {
    const built = referencesOf(join(root, 'tsconfig.build.json'));
    const wanted = packages.map(({ folder }) => `libs/${folder}/tsconfig.lib.json`);
    expect(wanted.filter((path) => !built.includes(path))).toEqual([]);
  });

  it('lets doors be exported, tested and, by Nest, put together', () => {
    const fine = fakePackage('logx', {
      'index.ts': "export { x } from './nest/x.js';",
      'testing/kit.ts': "import { x } from '../nest/x.js';",
      'nest/x.ts': "import { y } from '../http/y.js'; import { z } from './z.js';",
    });
    expect(importsGoDown([fine])).toEqual([]);
  });
});
