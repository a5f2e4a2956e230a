import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { fakePackage } from '../architecture/package.fixture.js';
import { readPackages } from '../architecture/package-tree.js';
import { installMistakes } from './install-lines.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Is run by npx, without being installed. */
const COMMAND = '@apix/gateway-server';

it.each(
  readPackages(root)
    .filter(({ manifest }) => manifest.name !== COMMAND)
    .map(({ folder, manifest }) => [manifest.name, folder, manifest] as const),
)('the README of %s begins with what to install', (_, folder, manifest) => {
  const readme = readFileSync(join(root, 'libs', folder, 'README.md'), 'utf8');
  expect(installMistakes(readme, manifest)).toEqual([]);
});

describe('an install line', () => {
  const { manifest } = fakePackage(
    'authz',
    {},
    {
      dependencies: { '@apix/proto': '1.0.0' },
      peerDependencies: { jose: '^6.0.0', '@bufbuild/protobuf': '^2.0.0' },
      peerDependenciesMeta: { jose: { optional: true } },
    },
  );
  const readmeOf = (...lines: string[]): string =>
    ['# @apix/authz', '', 'Who may call.', '', '```sh', ...lines, '```', ''].join('\n');
  const FINE = 'npm install @apix/authz @apix/proto \\\n  @bufbuild/protobuf';

  it.each([
    ['is complete', [FINE, 'npm install jose # tokens'], []],
    ['lacks an optional peer', [FINE], ['lacks the optional jose']],
    [
      'lacks a peer',
      ['npm install @apix/authz', 'npm install jose # x'],
      ['lacks @bufbuild/protobuf'],
    ],
    ['has no purpose', [FINE, 'npm install jose'], ['does not say what jose is for']],
    ['has too much', [`${FINE} pino`, 'npm install jose # x'], ['pino is not needed']],
    ['is another command', ['yarn add @apix/authz'], ['the first line does not install it']],
  ])('that %s is told', (_, lines, mistakes) => {
    const found = installMistakes(readmeOf(...lines), manifest);
    expect(found).toEqual(expect.arrayContaining(mistakes.map((it) => `@apix/authz: ${it}`)));
    expect(found.length > 0).toBe(mistakes.length > 0);
  });

  it('is missed where the page begins otherwise', () => {
    const late = readmeOf(FINE).replace('Who may call.', 'Who may call.\n\nMore.');
    expect(installMistakes(late, manifest)).toEqual([
      '@apix/authz: does not begin with its install line',
    ]);
  });
});
