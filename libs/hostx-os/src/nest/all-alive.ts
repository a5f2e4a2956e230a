import type { HealthSource } from '@apix/contracts';

/** Resolves with whether every `live` check passes; one that hangs keeps it from resolving. */
export async function allAlive(sources: readonly HealthSource[]): Promise<boolean> {
  const checks = sources
    .flatMap((source) => source.healthChecks())
    .filter(({ affects }) => affects === 'live');
  const { signal } = new AbortController();
  const results = await Promise.allSettled(checks.map(async (check) => check.check(signal)));
  return results.every(({ status }) => status === 'fulfilled');
}
