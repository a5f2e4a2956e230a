import { createHash } from 'node:crypto';
import type { Package } from '../architecture/package-tree.js';
import { type LockedPackage, broughtBy, resolveLocked } from '../supply-chain/locked-package.js';

interface Component {
  readonly type: 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly License[];
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
}

type License = { readonly license: { readonly id: string } } | { readonly expression: string };

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

/** CycloneDX 1.5, as JSON. */
export interface Sbom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.5';
  readonly serialNumber: string;
  readonly version: 1;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
}

/**
 * What is installed with a package: its dependencies and theirs, in the versions of the lock file. Peers are the
 * app's to bring and are in its own list. The same package gives the same text: no time, and a serial number
 * that is made of the rest.
 */
export function sbomOf(
  { folder, manifest }: Package,
  siblings: readonly Package[],
  locked: readonly LockedPackage[],
): Sbom {
  const ours = closureOfSiblings(manifest.name, siblings);
  const others = new Set(
    ours.flatMap((one) => broughtBy(locked, `libs/${one.folder}`, namesOf(one))),
  );
  const refOf = (from: string, name: string): string => {
    const sibling = ours.find((one) => one.manifest.name === name);
    const found = sibling === undefined ? resolveLocked(locked, from, name) : undefined;
    return purlOf(name, found?.version ?? sibling?.manifest.version ?? '');
  };
  const self = ours.find((one) => one.folder === folder)!;
  const components = [
    ...ours.filter((one) => one !== self).map(ownComponent),
    ...[...others].map(lockedComponent),
  ];
  const dependencies = [
    ...ours.map((one) => ({
      ref: purlOf(one.manifest.name, one.manifest.version),
      dependsOn: namesOf(one).map((name) => refOf(`libs/${one.folder}`, name)),
    })),
    ...[...others].map(({ name, version, path, dependencies: wanted }) => ({
      ref: purlOf(name, version),
      dependsOn: wanted.map((one) => refOf(path, one)),
    })),
  ];
  const rest = {
    metadata: { component: ownComponent(self) },
    components: components.toSorted((a, b) => compare(a.purl, b.purl)),
    dependencies: dependencies
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.toSorted(compare) }))
      .toSorted((a, b) => compare(a.ref, b.ref)),
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(rest))}`,
    version: 1,
    ...rest,
  };
}

function namesOf({ manifest }: Package): string[] {
  return Object.keys(manifest.dependencies ?? {});
}

function closureOfSiblings(name: string, siblings: readonly Package[]): Package[] {
  const found = new Set<Package>();
  const take = (wanted: string): void => {
    const one = siblings.find(({ manifest }) => manifest.name === wanted);
    if (one === undefined || found.has(one)) return;
    found.add(one);
    for (const next of namesOf(one)) take(next);
  };
  take(name);
  return [...found];
}

function ownComponent({ manifest: { name, version, license } }: Package): Component {
  return component(name, version, license);
}

function lockedComponent({ name, version, license, integrity }: LockedPackage): Component {
  const sha512 = integrity?.split(' ').find((one) => one.startsWith('sha512-'));
  const content = Buffer.from(sha512?.slice('sha512-'.length) ?? '', 'base64').toString('hex');
  return {
    ...component(name, version, license),
    ...(content !== '' && { hashes: [{ alg: 'SHA-512', content }] }),
  };
}

function component(name: string, version: string, license: string | undefined): Component {
  const purl = purlOf(name, version);
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license !== undefined && { licenses: [licenseOf(license)] }),
  };
}

/** An identifier of SPDX, or an expression of several. */
function licenseOf(text: string): License {
  return /^[\w.+-]+$/.test(text) ? { license: { id: text } } : { expression: text };
}

/** The package URL of npm; the at sign of a scope is escaped. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** A UUID of version 8 (RFC 9562), made of a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
