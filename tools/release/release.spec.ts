import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { type Package, readPackages } from '../architecture/package-tree.js';
import { readPublishing } from '../publishing/publishing.js';
import { readLock } from '../supply-chain/locked-package.js';
import { obstaclesTo, publishOrder } from './release-checks.js';
import { sbomOf } from './sbom.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = readPackages(root);
const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
  readonly version: string;
};
const named = (name: string): Package =>
  packages.find(({ manifest }) => manifest.name === `@apix/${name}`)!;

describe('a release', () => {
  const ready = {
    version,
    packages,
    changelog: `# Changelog\n\n## [${version}] - 2026-12-01\n`,
    uncommitted: '',
    publishing: {
      ...readPublishing(root),
      author: 'A. Author',
      homepage: 'https://example.test',
      repository: 'git+https://example.test/owner/apix.git',
      bugs: 'https://example.test/bugs',
    },
  };
  const odd: Package = {
    ...named('authz'),
    manifest: {
      ...named('authz').manifest,
      version: '9.9.9',
      dependencies: { '@apix/contracts': '0.0.9', yaml: '^2.0.0' },
    },
  };

  it('of the packages as they are has nothing in its way', () => {
    expect(obstaclesTo(ready)).toEqual([]);
  });

  it.each([
    [{ packages: [odd, ...packages] }, `@apix/authz has version 9.9.9, not ${version}`],
    [{ packages: [odd] }, `@apix/authz wants @apix/contracts 0.0.9, not ^${version}`],
    [{ changelog: '# Changelog\n\n## [Unreleased]\n' }, `CHANGELOG.md says nothing of ${version}`],
    [{ uncommitted: ' M README.md\n' }, 'not committed:\n M README.md\n'],
    [
      { publishing: { ...ready.publishing, repository: null } },
      'tools/publishing/publishing.json: repository is not set',
    ],
  ])('is held up by %j', (more, obstacle) => {
    expect(obstaclesTo({ ...ready, ...more })).toContain(obstacle);
  });

  it('publishes each package after what it depends on', () => {
    const order = publishOrder(packages.toReversed()).map(({ manifest }) => manifest.name);
    expect(order.toSorted()).toEqual(packages.map(({ manifest }) => manifest.name).toSorted());
    for (const { manifest } of packages) {
      for (const name of Object.keys(manifest.dependencies ?? {})) {
        if (!order.includes(name)) continue;
        expect([name, order.indexOf(name) < order.indexOf(manifest.name)]).toEqual([name, true]);
      }
    }
  });
});

describe('a bill of materials', () => {
  const locked = readLock(root);
  const bill = sbomOf(named('logx'), packages, locked);

  it('lists what is installed, with version, licence and hash', () => {
    const pino = locked.find(({ path }) => path === 'node_modules/pino')!;
    expect(bill.metadata.component).toMatchObject({ name: '@apix/logx', version });
    expect(bill.components.find(({ name }) => name === 'pino')).toEqual({
      type: 'library',
      'bom-ref': `pkg:npm/pino@${pino.version}`,
      name: 'pino',
      version: pino.version,
      purl: `pkg:npm/pino@${pino.version}`,
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
  });

  it('lists what that brings in turn, and no peer', () => {
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['@apix/contracts', 'thread-stream']));
    expect(names).not.toContain('@nestjs/common');
  });

  it('refers to nothing that it does not list', () => {
    const known = [bill.metadata.component, ...bill.components].map((one) => one['bom-ref']);
    const used = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(used.filter((ref) => !known.includes(ref))).toEqual([]);
    expect(new Set(known).size).toBe(known.length);
  });

  it('says with each licence what SPDX knows, an identifier or an expression', () => {
    const licensed = { ...named('authz'), manifest: { ...named('authz').manifest } };
    const either = { ...licensed, manifest: { ...licensed.manifest, license: '(MIT OR 0BSD)' } };
    expect(sbomOf(either, [either], []).metadata.component.licenses).toEqual([
      { expression: '(MIT OR 0BSD)' },
    ]);
  });

  it('is the same each time, and another for other contents', () => {
    expect(sbomOf(named('logx'), packages.toReversed(), locked.toReversed())).toEqual(bill);
    expect(sbomOf(named('authz'), packages, locked).serialNumber).not.toBe(bill.serialNumber);
    expect(bill.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});
