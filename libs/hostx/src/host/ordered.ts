import type { Deadline } from '@apix/contracts';
import type { Supervisor } from '../supervision/supervisor.js';
import type { StartOrder } from './start-order.js';

/** Launches each service once all before it are ready. Resolves when all are. */
export async function launchInOrder(
  order: StartOrder,
  supervisors: readonly Supervisor[],
  isCancelled: () => boolean,
): Promise<void> {
  await visitInOrder(order, async (index) => {
    const supervisor = supervisors[index];
    if (supervisor === undefined || isCancelled()) return;
    supervisor.launch();
    await supervisor.firstReady;
  });
}

/** Stops each service once all that start after it have stopped. Every error is reported at once. */
export async function stopInOrder(
  order: StartOrder,
  supervisors: readonly Supervisor[],
  deadline: Deadline,
  onError: (error: Error) => void,
): Promise<void> {
  await visitInOrder(reversed(order), async (index) => {
    for (const error of (await supervisors[index]?.stop(deadline)) ?? []) onError(error);
  });
}

/** Visits each index, gates included, once the visits of all that it waits for are over. */
function visitInOrder(order: StartOrder, visit: (index: number) => Promise<void>): Promise<void> {
  const left = order.map((waits) => waits.length);
  const dependents = reversed(order);
  return new Promise((resolve, reject) => {
    let open = order.length;
    const begin = (index: number): void => void visit(index).then(() => end(index), reject);
    const end = (index: number): void => {
      open -= 1;
      if (open === 0) resolve();
      for (const dependent of dependents[index]!) {
        left[dependent]! -= 1;
        if (left[dependent] === 0) begin(dependent);
      }
    };
    if (open === 0) resolve();
    for (const [index, waits] of order.entries()) if (waits.length === 0) begin(index);
  });
}

function reversed(order: StartOrder): StartOrder {
  const dependents: number[][] = order.map(() => []);
  for (const [index, waits] of order.entries()) {
    for (const before of waits) dependents[before]!.push(index);
  }
  return dependents;
}
