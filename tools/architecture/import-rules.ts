import { isBuiltin } from 'node:module';
import { DEPENDENCY_TABLE } from './dependency-table.js';
import { type Package, type SourceModule, type Target, resolveImport } from './package-tree.js';

/** A rule reads all packages and returns one sentence for each breach. */
export type Rule = (packages: readonly Package[]) => string[];

/** One import, and where it leads. */
export interface Edge {
  readonly pkg: Package;
  readonly from: SourceModule;
  readonly target: Target;
  readonly typeOnly: boolean;
  /** It is an `import()`. */
  readonly isCall: boolean;
}

/** Every import of every package. */
export function edgesOf(packages: readonly Package[]): Edge[] {
  return packages.flatMap((pkg) =>
    pkg.modules.flatMap((from) =>
      from.imports.map((it) => ({
        pkg,
        from,
        target: resolveImport(from, it),
        typeOnly: it.typeOnly,
        isCall: it.isCall ?? false,
      })),
    ),
  );
}

function placeOf({ pkg, from }: Pick<Edge, 'pkg' | 'from'>): string {
  return `libs/${pkg.folder}/src/${from.path}`;
}

/** Packages import only the packages that the table allows. */
export const importsFollowTheTable: Rule = (packages) =>
  edgesOf(packages).flatMap((edge) => {
    const { target, pkg } = edge;
    if (target.kind !== 'sibling' || target.folder === pkg.folder) return [];
    if (DEPENDENCY_TABLE[pkg.folder]?.siblings.includes(target.folder) === true) return [];
    return [`${placeOf(edge)} imports @apix/${target.folder}, which the table does not allow`];
  });

/** Everything imported is Node's own or declared in the package's manifest. */
export const importsAreDeclared: Rule = (packages) =>
  edgesOf(packages).flatMap((edge) => {
    const { target, pkg } = edge;
    if (target.kind === 'own') return [];
    const name = target.kind === 'sibling' ? `@apix/${target.folder}` : target.packageName;
    const { dependencies = {}, peerDependencies = {} } = pkg.manifest;
    const known = name === pkg.manifest.name || name in dependencies || name in peerDependencies;
    return known || isBuiltin(name)
      ? []
      : [`${placeOf(edge)} imports ${name}, which its package.json does not declare`];
  });

/** Nobody goes through the front door of the own package. */
export const noOwnIndexIsImported: Rule = (packages) =>
  edgesOf(packages).flatMap((edge) => {
    const { target, pkg } = edge;
    const own = target.kind === 'own' && /(?:^|\/)index\.ts$/.test(target.path);
    const self = target.kind === 'sibling' && target.folder === pkg.folder;
    return own || self ? [`${placeOf(edge)} imports an index of its own package`] : [];
  });

const DOORS: readonly string[] = ['nest', 'http', 'grpc'];

/**
 * Imports only go down. The doors are the topmost floor of a package: only exports and test kits
 * reach into them, and no door knows another, but Nest's, which puts the others in their places.
 */
export const importsGoDown: Rule = (packages) =>
  edgesOf(packages).flatMap((edge) => {
    const { from, target } = edge;
    if (target.kind !== 'own') return [];
    const to = doorOf(target.path);
    const at = doorOf(from.path);
    if (to === undefined || to === at || at === 'nest' || isOutermost(from.path)) return [];
    const who = at === undefined ? 'a lower floor' : `the door ${at}/`;
    return [`${placeOf(edge)}, on ${who}, imports ${target.path} of the door ${to}/`];
  });

function doorOf(path: string): string | undefined {
  return DOORS.find((door) => path.startsWith(`${door}/`));
}

function isOutermost(path: string): boolean {
  return /(?:^|\/)index\.ts$/.test(path) || path.startsWith('testing/');
}

/** Entries without Nest, next to the `/core` of each package. */
const WITHOUT_NEST: Readonly<Record<string, readonly string[]>> = {
  authz: ['http/index.ts', 'jwt/index.ts'],
  contracts: ['index.ts'],
  'grpc-client': ['transport/index.ts', 'protos/index.ts'],
  hostx: ['processes/index.ts'],
};

/** Nest is not reachable from `/core`, nor from {@link WITHOUT_NEST}, not even as a type. */
export const coreIsFreeOfNest: Rule = (packages) => {
  const modules = new Map<string, Pick<Edge, 'pkg' | 'from'>>(
    packages.flatMap((pkg) =>
      pkg.modules.map((from) => [`${pkg.folder}:${from.path}`, { pkg, from }] as const),
    ),
  );
  const breaches: string[] = [];
  const walk = (key: string, trail: readonly string[], seen: Set<string>): void => {
    const module = modules.get(key);
    if (module === undefined || seen.has(key)) return;
    seen.add(key);
    const path = [...trail, placeOf(module)];
    for (const { target } of edgesOf([{ ...module.pkg, modules: [module.from] }])) {
      if (target.kind === 'external') {
        if (target.packageName.startsWith('@nestjs/')) {
          breaches.push(`${target.packageName} is reachable: ${path.join(' -> ')}`);
        }
        continue;
      }
      const folder = target.kind === 'own' ? module.pkg.folder : target.folder;
      walk(`${folder}:${target.path}`, path, seen);
    }
  };
  for (const { folder } of packages) {
    for (const entry of ['core/index.ts', ...(WITHOUT_NEST[folder] ?? [])]) {
      walk(`${folder}:${entry}`, [], new Set());
    }
  }
  return breaches;
};
