import type { Package } from './package-tree.js';

/** Names that may be declared more than once, by why: each with how often at most. */
export type SharedNames = readonly {
  readonly reason: string;
  readonly names: Readonly<Record<string, number>>;
}[];

/**
 * One name, one thing: an exported name is declared once in all packages. A type has its name to
 * itself even among types that are not exported; functions of the same name may be private.
 */
export function nameMistakes(packages: readonly Package[], shared: SharedNames): string[] {
  const allowed = new Map(shared.flatMap(({ names }) => Object.entries(names)));
  const repeated = repeatedNames(packages);
  const tooMany = [...repeated]
    .filter(([name, places]) => places.length > (allowed.get(name) ?? 1))
    .map(([name, places]) => `${name} is declared ${places.length} times: ${places.join(', ')}`);
  const dead = [...allowed.keys()]
    .filter((name) => !repeated.has(name))
    .map(
      (name) => `tools/architecture/shared-names.ts has ${name}, which is no longer declared twice`,
    );
  return [...tooMany.toSorted(), ...dead];
}

function repeatedNames(packages: readonly Package[]): Map<string, readonly string[]> {
  const places = new Map<string, { readonly all: string[]; readonly exported: string[] }>();
  for (const { folder, modules } of packages) {
    for (const { path, declarations } of modules) {
      for (const { name, kind, isExported } of declarations) {
        const known = places.get(name) ?? { all: [], exported: [] };
        places.set(name, known);
        const place = `${folder}/${path}`;
        if (isExported) known.exported.push(place);
        if (isExported || kind === 'type') known.all.push(place);
      }
    }
  }
  return new Map(
    [...places]
      .filter(([, { all, exported }]) => exported.length > 0 && all.length > 1)
      .map(([name, { all }]) => [name, all]),
  );
}
