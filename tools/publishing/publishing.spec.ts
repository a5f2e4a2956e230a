import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import semver from 'semver';
import { publishedLock, publishedManifest, siblingRange, textOf } from './published-manifest.js';
import { mistakesIn, type Publishing, readPublishing } from './publishing.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const CHOSEN: Publishing = {
  author: 'A. Author',
  homepage: 'https://apix.test',
  repository: 'git+https://host.test/owner/apix.git',
  bugs: 'https://host.test/owner/apix/issues',
  license: 'Apache-2.0',
  keywords: ['nestjs'],
  packages: { proto: ['protobuf'] },
};

const MANIFEST = {
  name: '@apix/proto',
  version: '0.0.9',
  description: 'Descriptors',
  author: 'Someone else',
  keywords: ['old'],
  type: 'module',
  dependencies: { '@apix/contracts': '0.0.9', yaml: '^2.0.0' },
  peerDependencies: { rxjs: '^7.8.0' },
};

describe('the manifest of a package', () => {
  it('has what the one file says, and keeps the rest', () => {
    expect(textOf(publishedManifest(MANIFEST, 'proto', '0.1.2', CHOSEN))).toBe(
      textOf({
        name: '@apix/proto',
        version: '0.1.2',
        description: 'Descriptors',
        author: 'A. Author',
        homepage: 'https://apix.test',
        repository: {
          type: 'git',
          url: 'git+https://host.test/owner/apix.git',
          directory: 'libs/proto',
        },
        bugs: { url: 'https://host.test/owner/apix/issues' },
        license: 'Apache-2.0',
        keywords: ['nestjs', 'protobuf'],
        type: 'module',
        dependencies: { '@apix/contracts': '^0.1.2', yaml: '^2.0.0' },
        peerDependencies: { rxjs: '^7.8.0' },
        publishConfig: { access: 'public', provenance: true },
      }),
    );
  });

  it('is written the same when it is written again', () => {
    const once = publishedManifest(MANIFEST, 'proto', '0.1.2', CHOSEN);
    expect(textOf(publishedManifest(once, 'proto', '0.1.2', CHOSEN))).toBe(textOf(once));
  });

  it('leaves out what has not been chosen', () => {
    const unset = { ...CHOSEN, author: null, homepage: null, repository: null, bugs: null };
    const written = publishedManifest(MANIFEST, 'proto', '0.1.2', unset);
    for (const name of ['author', 'homepage', 'repository', 'bugs']) {
      expect(written).not.toHaveProperty(name);
    }
  });

  it.each([
    ['0.1.2', true],
    ['0.1.3', true],
    ['0.1.1', false],
    ['0.2.0', false],
  ])('of 0.1.2 takes a sibling %s: %s', (version, isTaken) => {
    expect(semver.satisfies(version, siblingRange('0.1.2'))).toBe(isTaken);
  });
});

it('the lock file repeats versions and ranges of workspaces, and keeps the rest', () => {
  const others = {
    '': { name: 'apix' },
    'node_modules/@apix/proto': { resolved: 'libs/proto', link: true },
  };
  const workspace = { version: '0.0.9', dependencies: { '@apix/contracts': '0.0.9', yaml: '^2' } };
  const lock = { lockfileVersion: 3, packages: { ...others, 'libs/proto': workspace } };
  expect(publishedLock(lock, '0.1.2')).toEqual({
    lockfileVersion: 3,
    packages: {
      ...others,
      'libs/proto': {
        version: '0.1.2',
        dependencies: { '@apix/contracts': '^0.1.2', yaml: '^2' },
      },
    },
  });
});

describe('tools/publishing/publishing.json', () => {
  it('has keywords for every package and for nothing else', () => {
    const { packages } = readPublishing(root);
    expect(Object.keys(packages).toSorted()).toEqual(readdirSync(`${root}/libs`).toSorted());
    for (const [folder, keywords] of Object.entries(packages)) {
      expect([folder, keywords.length > 0, new Set(keywords).size]).toEqual([
        folder,
        true,
        keywords.length,
      ]);
    }
  });

  it('is what the manifests say', () => {
    const publishing = readPublishing(root);
    const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
      version: string;
    };
    for (const folder of readdirSync(`${root}/libs`)) {
      const text = readFileSync(`${root}/libs/${folder}/package.json`, 'utf8');
      const manifest = JSON.parse(text) as Readonly<Record<string, unknown>>;
      expect(textOf(publishedManifest(manifest, folder, version, publishing))).toBe(text);
    }
  });
});

describe('what the registry is told', () => {
  it('is complete when everything is chosen', () => {
    expect(mistakesIn(CHOSEN, ['proto'])).toEqual([]);
  });

  it.each<[Partial<Publishing>, string]>([
    [{ author: null }, 'author is not set'],
    [{ homepage: null }, 'homepage is not set'],
    [{ repository: null }, 'repository is not set'],
    [{ bugs: ' ' }, 'bugs is not set'],
    [
      { repository: 'https://host.test/apix' },
      'repository is https://host.test/apix; it must be like git+https://host/owner/name.git',
    ],
    [{ bugs: 'apix@host.test' }, 'bugs is apix@host.test; it must start with https://'],
    [{ packages: {} }, 'packages has no keywords for proto'],
    [{ packages: { proto: ['a'], protos: ['b'] } }, 'there is no package protos'],
  ])('is refused with %j', (more, mistake) => {
    expect(mistakesIn({ ...CHOSEN, ...more }, ['proto'])).toContain(
      `tools/publishing/publishing.json: ${mistake}`,
    );
  });
});
