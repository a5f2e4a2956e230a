import { readFileSync } from 'node:fs';
import semver from 'semver';
import type { LockedPackage } from './locked-package.js';

export const SEVERITIES = ['low', 'moderate', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A known weakness of a package. */
export interface Advisory {
  /** Of the GitHub Advisory Database, `GHSA-…`. */
  readonly id: string;
  readonly package: string;
  /** The versions that have it, as a range of semver. */
  readonly vulnerable: string;
  readonly severity: Severity;
  readonly title: string;
}

/** A weakness that does no harm here, for a time. */
export interface Acceptance {
  readonly id: string;
  /** Why it does no harm here. */
  readonly reason: string;
  /** The last day on which it is accepted, `YYYY-MM-DD`. */
  readonly until: string;
}

export interface AdvisoryList {
  /** The day on which it was brought up to date, `YYYY-MM-DD`. */
  readonly asOf: string;
  readonly advisories: readonly Advisory[];
  readonly accepted: readonly Acceptance[];
}

export function readAdvisories(file: string): AdvisoryList {
  return JSON.parse(readFileSync(file, 'utf8')) as AdvisoryList;
}

/** What is wrong with the list itself: ranges that match nothing, acceptances that say no reason. */
export function mistakesIn({ asOf, advisories, accepted }: AdvisoryList): string[] {
  const ids = new Set(advisories.map(({ id }) => id));
  return [
    ...(isDay(asOf) ? [] : [`asOf is no day: ${asOf}`]),
    ...advisories.flatMap(({ id, vulnerable, severity }) => [
      ...(semver.validRange(vulnerable) === null ? [`${id}: no range: ${vulnerable}`] : []),
      ...(SEVERITIES.includes(severity) ? [] : [`${id}: no severity: ${severity}`]),
    ]),
    ...accepted.flatMap(({ id, reason, until }) => [
      ...(ids.has(id) ? [] : [`${id} is accepted and not in the list`]),
      ...(reason.trim() === '' ? [`${id} is accepted without a reason`] : []),
      ...(isDay(until) ? [] : [`${id} is accepted until no day: ${until}`]),
    ]),
  ];
}

/** A package that has a known weakness. */
export interface Finding {
  readonly locked: LockedPackage;
  readonly advisory: Advisory;
  /** Why it is accepted today; undefined: it is not. */
  readonly accepted: string | undefined;
}

/** @param today `YYYY-MM-DD` */
export function findingsIn(
  packages: readonly LockedPackage[],
  { advisories, accepted }: AdvisoryList,
  today: string,
): Finding[] {
  const reasons = new Map(
    accepted.filter(({ until }) => until >= today).map(({ id, reason }) => [id, reason]),
  );
  return packages.flatMap((locked) =>
    advisories
      .filter((one) => one.package === locked.name)
      .filter(({ vulnerable }) =>
        semver.satisfies(locked.version, vulnerable, { includePrerelease: true }),
      )
      .map((advisory) => ({ locked, advisory, accepted: reasons.get(advisory.id) })),
  );
}

/** What users get must have no known weakness; what only we have, none that is high or critical. */
export function isTooMuch({ locked, advisory, accepted }: Finding): boolean {
  if (accepted !== undefined) return false;
  return !locked.isDev || SEVERITIES.indexOf(advisory.severity) >= SEVERITIES.indexOf('high');
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
