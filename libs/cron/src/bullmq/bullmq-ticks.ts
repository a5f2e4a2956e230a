import { thrownError } from '@apix/contracts/internal';
import type { Job } from 'bullmq';
import type { RunRecord } from '../job/job-status.js';
import { Queue, QueueEvents, WaitingError, Worker } from '../npm-install/bullmq.js';
import type { ResolvedBullmqOptions } from './bullmq-options.js';
import type { TickHandlers, Ticks } from '../replicas/ticks.js';

interface TickData {
  /** Milliseconds since the epoch; null for a run that is on no schedule. */
  readonly scheduled: number | null;
}

/** How many ticks that are over Redis remembers, so that no late replica gives one again. */
const KEEP = 100;

/**
 * A queue of one job's ticks. A tick's id is its time, so that it is in the queue once, whichever replicas
 * add it; BullMQ's deduplication refuses a tick while another is unfinished.
 */
export class BullmqTicks implements Ticks {
  readonly #handlers: TickHandlers;
  readonly #options: ResolvedBullmqOptions;
  readonly #queue: Queue<TickData>;
  readonly #worker: Worker<TickData>;
  #events: QueueEvents | null = null;
  #current: { readonly id: string; readonly lost: AbortController } | null = null;
  #isReachable = false;
  #lastError: unknown = new Error('no connection yet');

  constructor(job: string, handlers: TickHandlers, options: ResolvedBullmqOptions) {
    this.#handlers = handlers;
    this.#options = options;
    const { prefix, queueConnection, workerConnection, silenceMs, maxReruns } = options;
    const trouble = (error: unknown): void => {
      this.#lastError = error;
      handlers.onTrouble(error);
    };
    this.#queue = new Queue(job, { prefix, connection: queueConnection });
    this.#queue.on('error', trouble);
    this.#queue.on('ioredis:close', () => (this.#isReachable = false));
    // Without a connection, a tick would wait for one, and then be too late.
    const reachable = (): unknown => (this.#isReachable = true);
    this.#queue.waitUntilReady().then(reachable, () => {});
    this.#queue.getBackend().on('ready', reachable);
    this.#worker = new Worker(job, (tick, token) => this.#process(tick, token), {
      prefix,
      connection: workerConnection,
      lockDuration: silenceMs,
      stalledInterval: silenceMs / 2,
      maxStalledCount: maxReruns,
      // A replica that dies with the news of a tick keeps the others waiting for so long, in s.
      drainDelay: 1,
      runRetryDelay: 1_000,
    });
    this.#worker.on('error', trouble);
    this.#worker.on('lockRenewalFailed', (ids) => {
      if (this.#current === null || !ids.includes(this.#current.id)) return;
      this.#current.lost.abort(new Error('another replica may have taken the run over'));
    });
  }

  async give(scheduled: Date): Promise<boolean> {
    const time = scheduled.getTime();
    return (await this.#add(`t${time}`, { scheduled: time })) !== null;
  }

  async giveFirst(): Promise<void> {
    await this.#queue.waitUntilReady();
    this.#isReachable = true;
    await this.#add(crypto.randomUUID(), { scheduled: null });
  }

  async giveNow(): Promise<RunRecord | null> {
    const job = await this.#add(crypto.randomUUID(), { scheduled: null });
    if (job === null) return null;
    this.#events ??= this.#openEvents();
    const ending = await job.waitUntilFinished(this.#events).then(
      () => ({ outcome: 'ok' }) as const,
      (error: unknown) => ({ outcome: 'failed', error }) as const,
    );
    const { processedOn = 0, finishedOn = processedOn } =
      (await this.#queue.getJob(job.id!)) ?? job;
    return {
      scheduled: null,
      startedAt: new Date(processedOn),
      durationMs: finishedOn - processedOn,
      ...ending,
    };
  }

  hold(): void {
    void this.#worker.pause(true);
  }

  take(): void {
    void this.#worker.resume();
  }

  async close(): Promise<void> {
    // Without Redis nothing can be sent to it any more, and there would be no answer.
    const force = !this.#isReachable;
    await this.#worker.close(force);
    if (force) await this.#events?.getBackend().close(true);
    else await this.#events?.close();
    await this.#queue.getBackend().close(force);
  }

  #openEvents(): QueueEvents {
    const { prefix, workerConnection: connection } = this.#options;
    const events = new QueueEvents(this.#queue.name, { prefix, connection });
    events.on('error', (error) => this.#handlers.onTrouble(error));
    return events;
  }

  /** Null when a run is unfinished. */
  async #add(id: string, data: TickData): Promise<Job<TickData> | null> {
    if (!this.#isReachable) throw this.#lastError;
    const job = await this.#queue.add('tick', data, {
      jobId: id,
      // Why: docs/decisions/0084
      deduplication: { id: 'unfinished' },
      removeOnComplete: { count: KEEP },
      removeOnFail: { count: KEEP },
    });
    return job.id === id ? job : null;
  }

  async #process(job: Job<TickData>, token: string | undefined): Promise<void> {
    const { scheduled } = job.data;
    const lost = new AbortController();
    this.#current = { id: job.id!, lost };
    try {
      const at = scheduled === null ? null : new Date(scheduled);
      const { outcome, error } = await this.#handlers.run({ scheduled: at }, lost.signal);
      if (outcome === 'ok') return;
      if (outcome !== 'aborted') throw thrownError(error);
      // This replica stops: another one begins the run again.
      await job.moveToWait(token);
      throw new WaitingError();
    } finally {
      this.#current = null;
    }
  }
}
