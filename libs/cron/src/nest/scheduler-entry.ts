import { createRequire } from 'node:module';
import type { DiscoveryService } from '@nestjs/core';
import type { SchedulerRegistry } from '@nestjs/schedule';
import { CronError } from '../errors.js';
import type { JobControl } from '../job/hosted-job.js';

type RegistryJob = Parameters<SchedulerRegistry['addCronJob']>[1];
type DateTime = ReturnType<RegistryJob['nextDate']>;

/** Lists jobs in the registry of `@nestjs/schedule`, in an app that imports its module. */
export function listInSchedulerRegistry(
  discovery: DiscoveryService,
  jobs: readonly JobControl[],
): void {
  for (const wrapper of discovery.getProviders()) {
    // Imported by name, so that an app without that package does not need it.
    if (wrapper.name !== 'SchedulerRegistry') continue;
    const registry = wrapper.instance as SchedulerRegistry;
    for (const job of jobs) {
      registry.addCronJob(job.name, new SchedulerEntry(job) as unknown as RegistryJob);
    }
  }
}

/** A job as the registry of `@nestjs/schedule` knows them, those of the package `cron`. */
class SchedulerEntry {
  readonly name: string;
  readonly #job: JobControl;

  constructor(job: JobControl) {
    this.name = job.name;
    this.#job = job;
  }

  get isActive(): boolean {
    const { phase, isPaused } = this.#job.status;
    return !isPaused && phase !== 'stopped';
  }

  get isCallbackRunning(): boolean {
    return this.#job.status.runningSince !== null;
  }

  get lastExecution(): Date | null {
    return this.lastDate();
  }

  start(): void {
    this.#job.resume();
  }

  stop(): void {
    this.#job.pause();
  }

  /** When the run under way began, or the last one; null before the first. */
  lastDate(): Date | null {
    const { runningSince, lastRun } = this.#job.status;
    return runningSince ?? lastRun?.startedAt ?? null;
  }

  /** As in `cron`, also of a job that is stopped; an invalid DateTime if there is no next time. */
  nextDate(): DateTime {
    const [next] = this.nextDates(1);
    return next ?? luxon().fromMillis(Number.NaN);
  }

  nextDates(count = 0): DateTime[] {
    return this.#job.nextTimes(count).map((time) => luxon().fromMillis(time.getTime()));
  }

  async fireOnTick(): Promise<void> {
    await this.#job.trigger();
  }

  addCallback(): never {
    throw new CronError(`cron: job ${this.name}: a job of @apix/cron has one callback, its method`);
  }

  // Why: docs/decisions/0080
  setTime(): never {
    throw new CronError(`cron: job ${this.name}: a job of @apix/cron keeps its schedule`);
  }
}

interface DateTimes {
  fromMillis(ms: number): DateTime;
}

let dateTimes: DateTimes | null = null;

/** The luxon of the `cron` of `@nestjs/schedule`, so that dates are what its users know. */
function luxon(): DateTimes {
  if (dateTimes !== null) return dateTimes;
  try {
    const schedule = createRequire(import.meta.url).resolve('@nestjs/schedule');
    const cron = createRequire(schedule).resolve('cron');
    const module = createRequire(cron)('luxon') as { readonly DateTime: DateTimes };
    dateTimes = module.DateTime;
    return dateTimes;
  } catch (error) {
    throw new CronError(
      'cron: @nestjs/schedule and its luxon are not installed; run npm install @nestjs/schedule',
      { cause: error },
    );
  }
}
