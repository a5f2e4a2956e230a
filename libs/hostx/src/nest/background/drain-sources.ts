import { type Deadline, orAborted } from '@apix/contracts';
import { notEnded } from '../../background/not-ended.js';
import { unitsOf, whenEnded } from '../../background/work-ledger.js';
import { outcomeOf } from '../../outcome.js';
import type { WorkSource } from './work-source.js';

/**
 * Stops the intake, waits for what is under way and for what its modules have to write down.
 *
 * @throws HostError that names what has not ended by the deadline; it is given up then.
 */
export async function drainSources(
  sources: readonly WorkSource[],
  deadline: Deadline,
): Promise<void> {
  const works = sources.flatMap((source) => source.works);
  const drained = Promise.all(
    sources.map(async (source) => {
      await source.stopIntake();
      await whenEnded(source.works);
      await source.finish();
    }),
  );
  const outcome = await outcomeOf(() => orAborted(drained, deadline.signal));
  if (outcome.ok) return;
  for (const source of sources) source.giveUp();
  throw notEnded(unitsOf(works)) ?? outcome.error;
}
