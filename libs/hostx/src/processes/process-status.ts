import type { HostStatus } from '../state/transitions.js';
import { answerInTime } from './in-time.js';
import type { ProcessStatus } from './process-channel.js';
import type { ProcessSlot } from './process-slot.js';
import type { WorkerProcess } from './worker-process.js';

/** How all processes are; each is asked for its memory. */
export async function processStatuses(
  slots: readonly ProcessSlot[],
  { services }: HostStatus,
): Promise<readonly ProcessStatus[]> {
  const found = slots.map(async (slot, at): Promise<readonly ProcessStatus[]> => {
    const service = services.find(({ name }) => name === slot.name);
    const about = {
      index: at + 1,
      restarts: service?.restarts ?? 0,
      lastEnd: slot.lastEnd,
    };
    if (slot.workers.length === 0) {
      return [{ ...about, pid: null, state: 'ended', since: service?.since ?? 0, rss: null }];
    }
    return Promise.all(
      slot.workers.map(async (worker) => ({
        ...about,
        pid: worker.pid ?? null,
        state: stateOf(worker),
        since: worker.startedAt,
        rss: await memoryOf(worker),
      })),
    );
  });
  return (await Promise.all(found)).flat();
}

function stateOf(worker: WorkerProcess): ProcessStatus['state'] {
  if (worker.isStopping) return 'stopping';
  return worker.isReady ? 'ready' : 'starting';
}

async function memoryOf(worker: WorkerProcess): Promise<number | null> {
  const rss = await answerInTime(worker.channel.ask({ kind: 'memory' }));
  return typeof rss === 'number' ? rss : null;
}
