import {
  type Clock,
  type HealthSource,
  deadlineAfter,
  thrownText,
  untilAborted,
} from '@apix/contracts';

/** A check with its name read, which may be a getter of the app's. */
interface NamedCheck {
  readonly name: string;
  run(signal: AbortSignal): void | Promise<void>;
}

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
function checksOf(source: HealthSource): readonly NamedCheck[] {
  try {
    return source
      .healthChecks()
      .map((check) => ({ name: check.name, run: (signal) => check.check(signal) }));
  } catch (error) {
    return [{ name: nameOf(source), run: () => Promise.reject(error) }];
  }
}

function nameOf(source: HealthSource): string {
  try {
    return source.constructor.name || 'health source';
  } catch {
    return 'health source';
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
