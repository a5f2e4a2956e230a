import { type Deadline } from '@apix/contracts';
import { orAborted, thrownError } from '@apix/contracts/internal';
import type { FollowedWork, WorkUnit } from '../../background/followed-work.js';
import { unitsOf, whenEnded } from '../../background/work-ledger.js';
import { HostError, joinErrors } from '../../errors.js';
import { type Outcome, outcomeOf } from '../../outcome.js';

/** A module of others that runs handlers of the app, as the host drains it. */
export interface WorkSource {
  /** Those of its handlers that are known by now. */
  readonly works: readonly FollowedWork[];
  /** Keeps new work from beginning. Must not wait for work under way. */
  stopIntake(): Promise<unknown>;
  /** Called once the work under way has ended: waits for records that are still to be written. */
  finish?(): Promise<unknown>;
  /** Called instead of {@link finish} when the time is up. */
  giveUp?(): void;
}

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
    for (const source of sources) source.giveUp?.();
    throw notEnded(unitsOf(works)) ?? error;
  }
  const failed = outcomes.flatMap((outcome) => (outcome.ok ? [] : [thrownError(outcome.error)]));
  const error = joinErrors(failed);
  if (error !== null) throw error;
}

async function drain(source: WorkSource): Promise<void> {
  const stopped = await outcomeOf(() => source.stopIntake());
  await whenEnded(source.works);
  await source.finish?.();
  if (!stopped.ok) throw stopped.error;
}

/** How many of the runs that have not ended are named. */
const MAX_NAMED = 10;

/** The error about runs that the deadline has cut off; null if there are none. */
function notEnded(units: readonly WorkUnit[]): HostError | null {
  if (units.length === 0) return null;
  const more = units.length > MAX_NAMED ? ` and ${units.length - MAX_NAMED} more` : '';
  const names = units.slice(0, MAX_NAMED).map(({ label }) => label);
  return new HostError(`hostx: not finished in time: ${names.join(', ')}${more}`);
}
