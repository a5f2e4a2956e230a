import { type Clock, type HealthCheck, type HealthSource, deadlineAfter } from '@apix/contracts';
import { untilAborted } from '../until-aborted.js';
import { messageOf } from '../errors.js';

/** Runs every check of every source at once. Resolves with what is not well, in words. */
export async function runChecks(
  sources: readonly HealthSource[],
  timeoutMs: number,
  clock: Clock,
): Promise<readonly string[]> {
  const checks = sources.flatMap(checksOf);
  const deadline = deadlineAfter(timeoutMs, clock);
  const late = untilAborted(deadline.signal).then(() => `no answer within ${timeoutMs} ms`);
  const outcomes = await Promise.all(
    checks.map(async (check) => {
      const failure = await Promise.race([failureOf(check, deadline.signal), late]);
      return failure === undefined ? [] : [`${check.name}: ${failure}`];
    }),
  );
  deadline.dispose();
  return outcomes.flat();
}

/** A source that cannot say how it is, is not well. */
function checksOf(source: HealthSource): readonly HealthCheck[] {
  try {
    return source.healthChecks();
  } catch (error) {
    const check = (): Promise<void> => Promise.reject(error);
    return [{ name: source.constructor.name, affects: 'ready', check }];
  }
}

async function failureOf(check: HealthCheck, signal: AbortSignal): Promise<string | undefined> {
  try {
    await check.check(signal);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
