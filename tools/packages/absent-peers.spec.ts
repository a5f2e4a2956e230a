import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { optionalPeersOf } from '../architecture/peer-rules.js';
import { type Manifest, readPackages } from '../architecture/package-tree.js';
import { installLinesOf } from '../docs/install-lines.js';
import { InstalledApp, type Loaded } from './installed-app.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = readPackages(root);

/** The entries that cannot do without an optional peer. */
const NEEDED = [
  ['@apix/authz/conditions', '@bufbuild/cel'],
  ['@apix/authz/conditions', '@bufbuild/re2'],
  ['@apix/authz/grpc', '@grpc/grpc-js'],
  ['@apix/authz/jwt', 'jose'],
  ['@apix/authz/testing', '@grpc/grpc-js'],
  ['@apix/calls/grpc', '@grpc/grpc-js'],
  ['@apix/cron/bullmq', 'bullmq'],
  ['@apix/gateway/websocket', 'ws'],
  ['@apix/grpc', '@nestjs/microservices'],
  ['@apix/grpc-client/breaker', 'cockatiel'],
  ['@apix/grpc/validation', '@bufbuild/protovalidate'],
  ['@apix/hostx/health', '@nestjs/terminus'],
  ['@apix/logx/grpc', '@grpc/grpc-js'],
  ['@apix/logx-codemod', 'typescript'],
  ['@apix/otel/microservices', '@nestjs/microservices'],
] as const;

function entriesOf({ name, exports = {} }: Manifest): string[] {
  return Object.entries(exports)
    .filter(([path, target]) => typeof target !== 'string' && !path.includes('*'))
    .map(([path]) => name + path.slice(1));
}

/** Is an app, and brings what the others leave to theirs. */
const APP = '@apix/gateway-server';

/** What is there when nothing optional was installed but Nest. */
function withoutOptionalPeers(): string[] {
  const libraries = packages.filter(({ manifest }) => manifest.name !== APP);
  const all = libraries.flatMap(({ manifest }) => {
    const { dependencies = {}, peerDependencies = {} } = manifest;
    const optional = optionalPeersOf(manifest);
    const peers = Object.keys(peerDependencies).filter((peer) => !optional.includes(peer));
    return [...Object.keys(dependencies), ...peers];
  });
  return [...new Set(all)].filter((name) => !name.startsWith('@apix/'));
}

const GRPC = '@grpc/grpc-js';

/** The middleware for apps without Nest, what reads tokens, and clients. */
const WITHOUT_NEST = [
  '@apix/authz/http',
  '@apix/authz/core',
  '@apix/authz/jwt',
  '@apix/grpc-client/breaker',
  '@apix/grpc-client/core',
  '@apix/grpc-client/protos',
  '@apix/grpc-client/transport',
  '@apix/proto/core',
];
const ITS_PACKAGES = ['@bufbuild/protobuf', GRPC, 'cockatiel', 'jose', 'yaml'];

/** The client's module needs these of Nest, but not `@nestjs/microservices`. */
const NEST_CLIENT = '@apix/grpc-client';
const ITS_NEST = ['@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs'];

const entries = packages
  .filter(({ manifest }) => manifest.name !== APP)
  .flatMap(({ manifest }) => entriesOf(manifest));

describe('an entry without its optional peer', () => {
  let app: InstalledApp;
  let withoutGrpc: ReadonlyMap<string, Loaded>;
  let withoutOthers: ReadonlyMap<string, Loaded>;
  let withAll: ReadonlyMap<string, Loaded>;
  let withoutNest: ReadonlyMap<string, Loaded>;
  let withNest: ReadonlyMap<string, Loaded>;
  // One process for all entries: they share most of what they load.
  beforeAll(async () => {
    app = await InstalledApp.at(root);
    const least = withoutOptionalPeers();
    const optional = NEEDED.map(([, peer]) => peer);
    app.install(
      root,
      [...least, ...optional].filter((name) => name !== GRPC),
    );
    withoutGrpc = app.load(NEEDED.filter(([, peer]) => peer === GRPC).map(([entry]) => entry));
    app.install(root, [...least, GRPC]);
    withoutOthers = app.load(entries);
    app.install(root, [...least, ...optional]);
    withAll = app.load(entries);
    app.install(root, ITS_PACKAGES);
    withoutNest = app.load([...WITHOUT_NEST, NEST_CLIENT]);
    app.install(root, [...ITS_NEST, '@bufbuild/protobuf', GRPC]);
    withNest = app.load([NEST_CLIENT]);
  }, 300_000);
  afterAll(() => app.leave());

  it.each(NEEDED)('%s says that %s is to be installed', (entry, peer) => {
    // Of two peers that an entry needs, Node names the one that it looks for first.
    const peers = NEEDED.filter(([other]) => other === entry).map(([, needed]) => needed);
    const said = new RegExp(
      `Cannot find package '(${peers.join('|')})' imported from /node_modules/@apix/[\\w-]+/dist/npm-install/\\1\\.js`,
    );
    const loaded = (peer === GRPC ? withoutGrpc : withoutOthers).get(entry);
    expect(loaded?.imported).toMatch(said);
    expect(loaded?.required).toMatch(said);
  });

  it.each(NEEDED)('the README of %s says in the line of %s for what', (entry, peer) => {
    const readme = readFileSync(join(root, 'libs', entry.split('/')[1]!, 'README.md'), 'utf8');
    expect(installLinesOf(readme)?.optional.get(peer)).toContain(entry);
  });

  it('is the only one that does not load', () => {
    const needed: readonly string[] = NEEDED.filter(([, peer]) => peer !== GRPC).map(
      ([entry]) => entry,
    );
    const others = entries.filter((entry) => !needed.includes(entry));
    expect(failuresAmong(withoutOthers, others)).toEqual([]);
  });

  it('of those for apps without Nest loads where no Nest is installed', () => {
    expect(failuresAmong(withoutNest, WITHOUT_NEST)).toEqual([]);
  });

  it('of clients for Nest needs common and core of Nest alone', () => {
    expect(withoutNest.get(NEST_CLIENT)?.imported).toMatch("Cannot find package '@nestjs/");
    expect(failuresAmong(withNest, [NEST_CLIENT])).toEqual([]);
  });

  it('loads with it', () => {
    expect(failuresAmong(withAll, entries)).toEqual([]);
  });
});

function failuresAmong(
  loaded: ReadonlyMap<string, Loaded>,
  wanted: readonly string[],
): (readonly [string, Loaded | undefined])[] {
  const isThere = (count: number | string | undefined): boolean =>
    typeof count === 'number' && count > 0;
  return wanted
    .map((entry) => [entry, loaded.get(entry)] as const)
    .filter(([, found]) => !isThere(found?.imported) || !isThere(found?.required));
}

it('every optional peer that an entry links is in the table', () => {
  const linked = packages.flatMap(({ modules }) =>
    modules
      .filter(({ path }) => path.startsWith('npm-install/'))
      .map(({ path }) => path.slice('npm-install/'.length, -'.ts'.length)),
  );
  const tried = NEEDED.map(([, peer]) => peer);
  expect(new Set(linked)).toEqual(new Set(tried));
});
