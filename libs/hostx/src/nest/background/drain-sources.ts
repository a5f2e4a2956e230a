import { type Deadline, orAborted, thrownError } from '@apix/contracts';
import { notEnded } from '../../background/not-ended.js';
import { unitsOf, whenEnded } from '../../background/work-ledger.js';
import { joinErrors } from '../../errors.js';
import { type Outcome, outcomeOf } from '../../outcome.js';
import type { WorkSource } from './work-source.js';

/**
 * Stops the intake, waits for the runs under way and for the records that their modules must write.
 *
 * @throws HostError that names the runs that have not ended by the deadline; they are then abandoned.
 *   Otherwise the failures, once everything has ended.
 */
export async function drainSources(
  sources: readonly WorkSource[],
  deadline: Deadline,
): Promise<void> {
  const works = sources.flatMap((source) => source.works);
  // One that fails must not end the wait for the others.
  const drained = Promise.all(sources.map((source) => outcomeOf(() => drain(source))));
  let outcomes: readonly Outcome[];
  try {
    outcomes = await orAborted(drained, deadline.signal);
  } catch (error) {
    for (const source of sources) source.giveUp();
    throw notEnded(unitsOf(works)) ?? error;
  }
  const failed = outcomes.flatMap((outcome) => (outcome.ok ? [] : [thrownError(outcome.error)]));
  const error = joinErrors(failed);
  if (error !== null) throw error;
}

async function drain(source: WorkSource): Promise<void> {
  const stopped = await outcomeOf(() => source.stopIntake());
  await whenEnded(source.works);
  await source.finish();
  if (!stopped.ok) throw stopped.error;
}
