import type { Rule } from './import-rules.js';
import type { Manifest } from './package-tree.js';
import type { Import } from './parse-imports.js';
import { PEER_FLOORS } from './peer-floors.js';

/** Every peer has the range of the table, in every package. */
export const peersFollowTheTable: Rule = (packages) =>
  packages.flatMap(({ folder, manifest }) =>
    Object.entries(manifest.peerDependencies ?? {}).flatMap(([name, range]) => {
      const wanted = PEER_FLOORS[name]?.range;
      if (wanted === range) return [];
      const place = `libs/${folder}/package.json has the peer ${name} ${range}`;
      return [
        wanted === undefined
          ? `${place}, which is not in tools/architecture/peer-floors.ts`
          : `${place}; tools/architecture/peer-floors.ts says ${wanted}`,
      ];
    }),
  );

/** The table has no row that no package needs. */
export const peersOfTheTableAreUsed: Rule = (packages) =>
  Object.keys(PEER_FLOORS)
    .filter((name) => !packages.some(({ manifest }) => name in (manifest.peerDependencies ?? {})))
    .map((name) => `tools/architecture/peer-floors.ts has ${name}, which is no package's peer`);

/** What an app that uses the parts of ours with Nest imports itself. */
const OF_NEST: readonly string[] = ['@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs'];

/** An optional peer is imported where the path of the file says what to install. */
export const missingPeersAreNamed: Rule = (packages) =>
  packages.flatMap(({ folder, manifest, modules }) =>
    optionalPeersOf(manifest).flatMap((peer) =>
      modules
        .filter(({ path }) => path !== `npm-install/${peer}.ts`)
        .filter(({ imports }) => imports.some((it) => isLinked(it) && isOf(it.specifier, peer)))
        // Why: docs/decisions/0240
        .map(
          ({ path }) => `libs/${folder}/src/${path} imports ${peer}, not npm-install/${peer}.js`,
        ),
    ),
  );

/** Peers of a package that only some of its users need, those of Nest left out. */
export function optionalPeersOf({ peerDependenciesMeta = {} }: Manifest): string[] {
  return Object.keys(peerDependenciesMeta).filter(
    (name) => peerDependenciesMeta[name]?.optional === true && !OF_NEST.includes(name),
  );
}

function isLinked({ typeOnly, isCall }: Import): boolean {
  return !typeOnly && isCall !== true;
}

function isOf(specifier: string, packageName: string): boolean {
  return specifier === packageName || specifier.startsWith(`${packageName}/`);
}

/** Packages that depend on the same package ask for the same versions, so that an app has one copy. */
export const dependenciesAgree: Rule = (packages) => {
  const ranges = new Map<string, Map<string, string[]>>();
  for (const { folder, manifest } of packages) {
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      const byRange = ranges.get(name) ?? new Map<string, string[]>();
      ranges.set(name, byRange.set(range, [...(byRange.get(range) ?? []), folder]));
    }
  }
  return [...ranges]
    .filter(([, byRange]) => byRange.size > 1)
    .map(([name, byRange]) => {
      const which = [...byRange].map(([range, folders]) => `${range} (${folders.join(', ')})`);
      return `the packages disagree on ${name}: ${which.join(' and ')}`;
    });
};
