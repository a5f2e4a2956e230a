import { type WorkOrigin } from '@apix/contracts';
import { replaceOn } from '@apix/contracts/internal';
import type { Logger } from '@nestjs/common';
import type { FollowedWork } from '../../background/followed-work.js';
import type { WorkLedger } from '../../background/work-ledger.js';
import { hasMethods, isNamed } from '../optional-provider.js';
import type { WorkSource } from './work-source.js';

type Processor = (this: unknown, ...args: unknown[]) => unknown;

/** The part of a worker of BullMQ 3 to 6 that is used. */
interface BullWorker {
  readonly name: string;
  processFn?: Processor;
  pause(doNotWaitActive: boolean): Promise<unknown>;
  close(force?: boolean): Promise<unknown>;
}

/** The part of `@nestjs/bullmq`'s `BullExplorer`, which creates the workers, that is used. */
interface Explorer {
  readonly workers: readonly object[];
  register(): unknown;
}

/** The workers of BullMQ: those of `@Processor` classes, and those that the app provides. */
export class BullmqSource implements WorkSource {
  readonly works: FollowedWork[] = [];
  readonly #workers = new Set<BullWorker>();
  readonly #ledger: WorkLedger;
  readonly #logger: Logger;

  /** Null if the app has none. */
  static find(
    instances: readonly object[],
    ledger: WorkLedger,
    logger: Logger,
  ): BullmqSource | null {
    const explorers = instances.filter(isExplorer);
    const workers = instances.filter(isWorker);
    if (explorers.length === 0 && workers.length === 0) return null;
    return new BullmqSource(explorers, workers, ledger, logger);
  }

  private constructor(
    explorers: readonly Explorer[],
    workers: readonly BullWorker[],
    ledger: WorkLedger,
    logger: Logger,
  ) {
    this.#ledger = ledger;
    this.#logger = logger;
    for (const worker of workers) this.#adopt(worker);
    for (const explorer of explorers) {
      for (const worker of explorer.workers) this.#adopt(worker);
      // Why: docs/decisions/0230
      replaceOn(explorer, 'register', (register) => () => {
        const result = register.call(explorer);
        for (const worker of explorer.workers) this.#adopt(worker);
        return result;
      });
    }
  }

  stopIntake(): Promise<unknown> {
    return Promise.all([...this.#workers].map((worker) => worker.pause(true)));
  }

  /** Waits until the outcome of each job is in Redis too; Nest's own close then finds it done. */
  finish(): Promise<unknown> {
    return Promise.all([...this.#workers].map((worker) => worker.close()));
  }

  /** Without force, Nest's own close would wait for the jobs and delay everything after it. */
  giveUp(): void {
    for (const worker of this.#workers) void worker.close(true).catch(() => {});
  }

  #adopt(worker: object): void {
    if (!isWorker(worker)) {
      this.#logger.warn(
        'the host does not know this version of bullmq and does not wait for its jobs',
      );
      return;
    }
    if (this.#workers.has(worker)) return;
    this.#workers.add(worker);
    const { processFn, name } = worker;
    // A worker without one is driven by hand, with getNextJob.
    if (typeof processFn !== 'function') return;
    const work = this.#ledger.add({ name: `queue ${name}`, kind: 'message', schedule: 'BullMQ' });
    this.works.push(work);
    replaceOn(
      worker,
      'processFn',
      () =>
        function (this: unknown, ...args) {
          const origin = { system: 'bullmq', destination: name, ...jobOrigin(args[0]) };
          return work.run(jobLabel(args[0]), () => processFn.apply(this, args), origin);
        },
    );
  }
}

/** Which job, for the message about one that did not end. */
export function jobLabel(job: unknown): string {
  const { messageId } = jobOrigin(job);
  return messageId === undefined ? '' : `job ${messageId}`;
}

/** Which job, for work scopes. */
export function jobOrigin(job: unknown): Pick<WorkOrigin, 'messageId' | 'carrier'> {
  const { id } = (job ?? {}) as { readonly id?: unknown };
  const isKnown = typeof id === 'string' || typeof id === 'number';
  return { messageId: isKnown ? String(id) : undefined, carrier: job };
}

function isExplorer(instance: object): instance is Explorer & object {
  return (
    isNamed(instance, 'BullExplorer') &&
    hasMethods(instance, 'register') &&
    Array.isArray((instance as { readonly workers?: unknown }).workers)
  );
}

function isWorker(instance: object): instance is BullWorker & object {
  return hasMethods(instance, 'pause', 'close', 'isPaused', 'isRunning', 'getNextJob');
}
