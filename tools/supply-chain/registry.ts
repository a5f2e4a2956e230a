import { type Advisory, SEVERITIES, type Severity } from './advisories.js';
import type { LockedPackage } from './locked-package.js';

interface RegistryAdvisory {
  readonly url: string;
  readonly title: string;
  readonly severity: string;
  readonly vulnerable_versions: string;
}

/**
 * Asks a registry what it knows of packages, as `npm audit` does: advisories that these versions have.
 *
 * @throws Error that says what the registry answered.
 */
export async function askRegistry(
  registry: string,
  packages: readonly LockedPackage[],
): Promise<Advisory[]> {
  const versions = new Map<string, Set<string>>();
  for (const { name, version } of packages) {
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  const url = new URL('-/npm/v1/security/advisories/bulk', registry.replace(/\/?$/, '/'));
  const body = Object.fromEntries([...versions].map(([name, known]) => [name, [...known]]));
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url.href} answered with ${answer.status}`);
  const found = (await answer.json()) as Readonly<Record<string, readonly RegistryAdvisory[]>>;
  return Object.entries(found).flatMap(([name, list]) => list.map((one) => advisoryOf(name, one)));
}

function advisoryOf(name: string, one: RegistryAdvisory): Advisory {
  return {
    id: one.url.slice(one.url.lastIndexOf('/') + 1),
    package: name,
    vulnerable: one.vulnerable_versions,
    severity: severityOf(one.severity),
    title: one.title,
  };
}

/** One that is not known is taken for the worst. */
function severityOf(text: string): Severity {
  return SEVERITIES.find((one) => one === text) ?? 'critical';
}

/** What was known before and what is known now, each once, in a fixed order. */
export function merged(before: readonly Advisory[], now: readonly Advisory[]): Advisory[] {
  const all = new Map([...before, ...now].map((one) => [`${one.package} ${one.id}`, one]));
  return [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
