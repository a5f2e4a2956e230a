import type { HostStatus } from '../state/transitions.js';
import { within } from './answer-within.js';
import type { ProcessSlot } from './process-slot.js';
import type { WorkerProcess } from './worker-process.js';

/** How one of several processes of an app is, or its place while there is none. */
export interface ProcessStatus {
  /** Of its place, from 1. In a restart of all, two processes have the same. */
  readonly index: number;
  /** Null while the place waits for its next process. */
  readonly pid: number | null;
  readonly state: 'starting' | 'ready' | 'stopping' | 'ended';
  /** When it was started or, of a place without a process, when the last one ended; in milliseconds since the epoch. */
  readonly since: number;
  /** How often a process of the place has ended by itself. */
  readonly restarts: number;
  /** How the last of these ended, such as `was ended by SIGKILL`; null if none has. */
  readonly lastEnd: string | null;
  /** Resident memory in bytes; null if it does not say. */
  readonly rss: number | null;
}

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
  const rss = await within(worker.channel.ask({ kind: 'memory' }));
  return typeof rss === 'number' ? rss : null;
}
