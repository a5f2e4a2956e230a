import type { CheckOutcome } from './check-run.js';

/** The answer of an endpoint, as JSON: with status 200 if `ok`, otherwise with 503. */
export interface HealthReport {
  readonly status: 'ok' | 'unhealthy';
  /** By name: `ok`, or the text of the error. */
  readonly checks: Readonly<Record<string, string>>;
}

export interface CheckResult {
  readonly name: string;
  readonly outcome: CheckOutcome;
}

/** One report of many results. If two checks have the same name, the failure is reported. */
export function reportOf(results: readonly CheckResult[]): HealthReport {
  const texts = new Map<string, string>();
  for (const { name, outcome } of results) {
    const known = texts.get(name);
    if (known === undefined || known === 'ok') texts.set(name, outcome ?? 'ok');
    else if (outcome !== null && outcome !== known) texts.set(name, `${known}; ${outcome}`);
  }
  const isWell = results.every(({ outcome }) => outcome === null);
  return { status: isWell ? 'ok' : 'unhealthy', checks: Object.fromEntries(texts) };
}
