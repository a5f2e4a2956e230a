import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { optionalPeersOf } from '../architecture/peer-rules.js';
import { type Manifest, readPackages } from '../architecture/package-tree.js';
import { installLinesOf } from '../docs/install-lines.js';
import { InstalledApp } from './installed-app.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = readPackages(root);

/** The entries that cannot do without an optional peer. */
const NEEDED = [
  ['@apix/authz/grpc', '@grpc/grpc-js'],
  ['@apix/authz/jwt', 'jose'],
  ['@apix/authz/testing', '@grpc/grpc-js'],
  ['@apix/calls/grpc', '@grpc/grpc-js'],
  ['@apix/cron/bullmq', 'bullmq'],
  ['@apix/gateway/websocket', 'ws'],
  ['@apix/grpc/validation', '@bufbuild/protovalidate'],
  ['@apix/hostx/health', '@nestjs/terminus'],
  ['@apix/logx/grpc', '@grpc/grpc-js'],
] as const;

function entriesOf({ name, exports = {} }: Manifest): string[] {
  return Object.entries(exports)
    .filter(([path, target]) => typeof target !== 'string' && !path.includes('*'))
    .map(([path]) => name + path.slice(1));
}

/** What is there when nothing optional was installed but Nest. */
function withoutOptionalPeers(): string[] {
  const all = packages.flatMap(({ manifest }) => {
    const { dependencies = {}, peerDependencies = {} } = manifest;
    const optional = optionalPeersOf(manifest);
    const peers = Object.keys(peerDependencies).filter((peer) => !optional.includes(peer));
    return [...Object.keys(dependencies), ...peers];
  });
  return [...new Set(all)].filter((name) => !name.startsWith('@apix/'));
}

describe('without its optional peers', () => {
  let app: InstalledApp;
  beforeAll(() => {
    app = InstalledApp.at(root);
  }, 60_000);
  afterAll(() => app.leave());

  it.each(NEEDED)(
    '%s says that %s is to be installed',
    (entry, peer) => {
      const there = withoutOptionalPeers().filter((name) => name !== peer);
      app.install(root, there);
      const said = new RegExp(
        `Cannot find package '${peer}' imported from /node_modules/@apix/\\w+/dist/npm-install/${peer}\\.js`,
      );
      for (const how of ['import', 'require'] as const) {
        expect(app.load(entry, how)).toMatch(said);
      }
      app.install(root, [...there, peer]);
      for (const how of ['import', 'require'] as const) {
        expect(app.load(entry, how)).toMatch(/^\w+( \w+)*\n/);
      }
    },
    60_000,
  );

  it.each(NEEDED)('the README of %s says in the line of %s for what', (entry, peer) => {
    const readme = readFileSync(join(root, 'libs', entry.split('/')[1]!, 'README.md'), 'utf8');
    expect(installLinesOf(readme)?.optional.get(peer)).toContain(entry);
  });

  it('every other entry loads', () => {
    const needed: readonly string[] = NEEDED.map(([entry]) => entry);
    app.install(
      root,
      withoutOptionalPeers().filter((name) => name !== '@grpc/grpc-js'),
    );
    const mine = packages
      .filter(
        ({ manifest }) =>
          !('@grpc/grpc-js' in (manifest.peerDependencies ?? {})) ||
          optionalPeersOf(manifest).includes('@grpc/grpc-js'),
      )
      .flatMap(({ manifest }) => entriesOf(manifest))
      .filter((entry) => !needed.includes(entry));
    const failing = mine
      .map((entry) => [entry, app.load(entry, 'import')] as const)
      .filter(([, said]) => !/^\w+( \w+)*\n/.test(said));
    expect(failing).toEqual([]);
  }, 120_000);
});

it('every optional peer that an entry links is in the table', () => {
  const linked = packages.flatMap(({ modules }) =>
    modules
      .filter(({ path }) => path.startsWith('npm-install/'))
      .map(({ path }) => path.slice('npm-install/'.length, -'.ts'.length)),
  );
  const tried = NEEDED.map(([, peer]) => peer);
  expect(new Set(linked)).toEqual(new Set(tried));
});
