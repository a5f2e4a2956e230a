import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import semver from 'semver';
import { readPackages } from '../architecture/package-tree.js';
import { INSTALL_SCRIPTS } from './install-scripts.js';
import { broughtBy, readLock } from './locked-package.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const locked = readLock(root);

/** The dependencies of the packages, and theirs; not what an app brings itself. */
const brought = readPackages(root).flatMap(({ folder, manifest }) =>
  broughtBy(locked, `libs/${folder}`, Object.keys(manifest.dependencies ?? {})),
);

describe('what is installed with the packages', () => {
  it('is a list that this test has found', () => {
    expect(brought.map(({ name }) => name)).toEqual(expect.arrayContaining(['yaml', 'pino']));
  });

  it('wants no newer Node than the packages themselves', () => {
    const { engines } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
      readonly engines: { readonly node: string };
    };
    const oldest = semver.minVersion(engines.node)!;
    const newer = brought.filter(
      ({ node }) => node !== undefined && !semver.satisfies(oldest, node),
    );
    expect(newer.map(({ name, version, node }) => `${name}@${version} wants ${node}`)).toEqual([]);
  });
});

describe('packages that run code when they are installed', () => {
  const running = locked.filter(({ hasInstallScript }) => hasInstallScript);
  const page = readFileSync(`${root}/docs/supply-chain.md`, 'utf8');

  it('each have a reason, and no other has', () => {
    expect([...new Set(running.map(({ name }) => name))].toSorted()).toEqual(
      Object.keys(INSTALL_SCRIPTS).toSorted(),
    );
  });

  it.each(Object.entries(INSTALL_SCRIPTS))('%s is in the docs with it', (name, reason) => {
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`\`${name}\`: ${reason}`);
  });
});
