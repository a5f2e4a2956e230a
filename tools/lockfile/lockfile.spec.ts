import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { satisfies } from 'semver';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly engines?: { readonly node?: string } | readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { readonly packages: Readonly<Record<string, Locked>> };

/** Optional dependencies of locked packages that the lock does not hold. */
function missingIn(locked: Readonly<Record<string, Locked>>): string[] {
  return Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isReachable(locked, path, name))
      .map((name) => `${path} wants ${name}`),
  );
}

/** Looks for a package where Node would: in every node_modules on the way up. */
function isReachable(
  locked: Readonly<Record<string, Locked>>,
  from: string,
  name: string,
): boolean {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    if (`${folder}/node_modules/${name}`.replace(/^\//, '') in locked) return true;
    if (folder === '') return false;
  }
}

/** Locked packages that do not allow a version of Node, for which npm prints a warning each. */
function notFor(version: string, locked: Readonly<Record<string, Locked>>): string[] {
  return Object.entries(locked).flatMap(([path, { engines }]) => {
    const range = engines !== undefined && 'node' in engines ? engines.node : undefined;
    return range === undefined || satisfies(version, range) ? [] : [`${path} wants ${range}`];
  });
}

describe('package-lock.json', () => {
  // Why: docs/decisions/0548
  it.each(['20.19.0', '20.20.2', '22.22.3', '24.15.0', '26.0.0'])(
    'has no package that does not allow Node %s, so that npm prints no warning',
    (version) => {
      expect(notFor(version, packages)).toEqual([]);
    },
  );

  it('is found wanting when a package does not allow a version', () => {
    const cookie = { version: '2.0.2', engines: { node: '>=22' } };
    expect(notFor('20.19.0', { cookie })).toEqual(['cookie wants >=22']);
    expect(notFor('22.0.0', { cookie })).toEqual([]);
  });

  it('holds the native packages of every platform, so that npm ci works on all of them', () => {
    expect(missingIn(packages)).toEqual([]);
    expect(Object.keys(packages)).toEqual(
      expect.arrayContaining([
        'node_modules/@swc/core-darwin-arm64',
        'node_modules/@swc/core-win32-x64-msvc',
        'node_modules/@bufbuild/buf-darwin-arm64',
        'node_modules/@bufbuild/buf-win32-x64',
      ]),
    );
  });

  it('is found wanting when one is not there', () => {
    const { 'node_modules/@swc/core-darwin-arm64': _, ...rest } = packages;
    expect(missingIn(rest)).toEqual(['node_modules/@swc/core wants @swc/core-darwin-arm64']);
  });

  it('takes everything from the public registry', () => {
    const elsewhere = Object.entries(packages).filter(
      ([, { resolved, link }]) =>
        resolved !== undefined &&
        link !== true &&
        !resolved.startsWith('https://registry.npmjs.org/'),
    );
    expect(elsewhere.map(([path]) => path)).toEqual([]);
  });
});
