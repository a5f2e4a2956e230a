import {
  type Clock,
  type HealthCheck,
  type HealthSource,
  deadlineAfter,
  thrownText,
} from '@apix/contracts';
import { healthChecksOf, runHealthCheck, untilAborted } from '@apix/contracts/internal';

/** A check with its name read, which may be a getter of the app's. */
interface NamedCheck {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
}

/** Runs every check of every source at once. Resolves with the failures, in words. */
export async function runChecks(
  sources: readonly HealthSource[],
  timeoutMs: number,
  clock: Clock,
): Promise<readonly string[]> {
  const checks = sources.flatMap(healthChecksOf).map(namedCheck);
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

/** A check whose name cannot be read again is not well either. */
function namedCheck(check: HealthCheck): NamedCheck {
  try {
    return { name: check.name, run: (signal) => runHealthCheck(check, signal) };
  } catch (error) {
    return { name: 'health check', run: () => Promise.reject(error) };
  }
}

async function failureOf(check: NamedCheck, signal: AbortSignal): Promise<string | undefined> {
  try {
    await check.run(signal);
    return undefined;
  } catch (error) {
    return thrownText(error);
  }
}
