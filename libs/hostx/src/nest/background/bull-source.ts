import { replaceOn } from '@apix/contracts/internal';
import type { FollowedWork } from '../../background/followed-work.js';
import type { WorkLedger } from '../../background/work-ledger.js';
import { jobLabel, jobOrigin } from './bullmq-source.js';
import { hasMethods } from '../optional-provider.js';
import type { WorkSource } from './work-source.js';

type Processor = (this: unknown, ...args: unknown[]) => unknown;

/** The part of a queue of Bull 3 and 4 that is used; the queue is its own worker. */
interface BullQueue {
  readonly name: string;
  readonly handlers: Record<string, Processor>;
  setHandler(name: string, handler: unknown): unknown;
  pause(isLocal: boolean, doNotWaitActive: boolean): Promise<unknown>;
  whenCurrentJobsFinished(): Promise<unknown>;
}

/** The name of a handler for jobs without a name. */
const UNNAMED = '__default__';

/** The queues of Bull that the app provides, as `@nestjs/bull` does, and processes. */
export class BullSource implements WorkSource {
  readonly works: FollowedWork[] = [];
  readonly #processed = new Set<BullQueue>();
  readonly #ledger: WorkLedger;
  #paused: Promise<unknown> | null = null;

  /** Null if the app has none. */
  static find(instances: readonly object[], ledger: WorkLedger): BullSource | null {
    const queues = instances.filter(isQueue);
    return queues.length === 0 ? null : new BullSource(queues, ledger);
  }

  private constructor(queues: readonly BullQueue[], ledger: WorkLedger) {
    this.#ledger = ledger;
    for (const queue of queues) {
      for (const name of Object.keys(queue.handlers)) this.#adopt(queue, name);
      // Why: docs/decisions/0230
      replaceOn(queue, 'setHandler', (setHandler) => (name, handler) => {
        const result = setHandler.call(queue, name, handler);
        this.#adopt(queue, name);
        return result;
      });
    }
  }

  stopIntake(): Promise<unknown> {
    // Each pause makes a new connection.
    this.#paused ??= Promise.all([...this.#processed].map((queue) => queue.pause(true, true)));
    return this.#paused;
  }

  /** The queue itself is closed by Nest: until then others may add jobs to it. */
  finish(): Promise<unknown> {
    return Promise.all([...this.#processed].map((queue) => queue.whenCurrentJobsFinished()));
  }

  #adopt(queue: BullQueue, name: string): void {
    const process = queue.handlers[name];
    if (process === undefined) return;
    this.#processed.add(queue);
    const shown = name === UNNAMED ? queue.name : `${queue.name}/${name}`;
    const work = this.#ledger.add({ name: `queue ${shown}`, kind: 'message', schedule: 'Bull' });
    this.works.push(work);
    queue.handlers[name] = function tracked(this: unknown, ...args: unknown[]) {
      const origin = { system: 'bull', destination: queue.name, ...jobOrigin(args[0]) };
      return work.run(jobLabel(args[0]), () => process.apply(this, args), origin);
    };
  }
}

function isQueue(instance: object): instance is BullQueue & object {
  const { handlers } = instance as { readonly handlers?: unknown };
  return (
    typeof handlers === 'object' &&
    handlers !== null &&
    hasMethods(instance, 'process', 'setHandler', 'pause', 'whenCurrentJobsFinished')
  );
}
