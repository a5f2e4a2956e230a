import type { Deadline } from '@apix/contracts';
import type { Supervisor } from '../supervision/supervisor.js';
import type { PlannedService } from './host-plan.js';

/** Launches each service once all before it are ready. Resolves when all are. */
export async function launchInOrder(
  services: readonly PlannedService[],
  supervisors: readonly Supervisor[],
  isCancelled: () => boolean,
): Promise<void> {
  await Promise.all(
    services.map(async ({ after }, index) => {
      await Promise.all(after.map((before) => supervisors[before]!.firstReady));
      if (isCancelled()) return;
      supervisors[index]!.launch();
      await supervisors[index]!.firstReady;
    }),
  );
}

/** Stops each service once all that start after it have stopped. Resolves with every error. */
export async function stopInOrder(
  services: readonly PlannedService[],
  supervisors: readonly Supervisor[],
  deadline: Deadline,
): Promise<readonly Error[]> {
  const dependents = services.map((_, index) =>
    services.flatMap(({ after }, other) => (after.includes(index) ? [other] : [])),
  );
  const stopped = new Map<number, Promise<readonly Error[]>>();
  const stop = (index: number): Promise<readonly Error[]> => {
    const running = stopped.get(index);
    if (running !== undefined) return running;
    const mine = Promise.all(dependents[index]!.map(stop)).then(() =>
      supervisors[index]!.stop(deadline),
    );
    stopped.set(index, mine);
    return mine;
  };
  return (await Promise.all(services.map((_, index) => stop(index)))).flat();
}
