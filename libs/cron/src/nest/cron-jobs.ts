import {
  JobSource,
  type JobState,
  type MetricReading,
  MetricSource,
  WORK_SCOPE,
  type WorkScope,
  thrownText,
} from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { checkedOptions, type ReadOptions, thrownError } from '@apix/contracts/internal';
import { type HostBuilder, HostExtension, HostRef } from '@apix/hostx';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CronError, cronErrorOf } from '../errors.js';
import { CronJob } from '../job/cron-job.js';
import type { JobControl } from '../job/job-control.js';
import { stateOf } from '../job/job-status.js';
import { readingsOf } from '../job/job-readings.js';
import { jobParts } from '../job/make-job.js';
import type { HostedJob } from '../job/hosted-job.js';
import { CRON_MODULE_OPTIONS, type CronModuleOptions } from './cron-options.js';
import { CRON_OPTIONS } from './tokens.js';
import { type FoundJob, exploreJobs } from './job-explorer.js';
import { DECORATED_OPTIONS } from './job.decorators.js';
import { listInSchedulerRegistry } from './scheduler-entry.js';

interface JobEntry {
  readonly job: HostedJob;
  readonly found: FoundJob;
}

/** The decorated jobs of the app: to look at, to pause and to trigger. */
@Injectable()
@HostExtension()
@JobSource()
@MetricSource()
export class CronJobs
  implements HostExtension, JobSource, MetricSource, OnModuleInit, OnApplicationBootstrap
{
  readonly #logger = new Logger('Cron');
  readonly #options: ReadOptions<typeof CRON_MODULE_OPTIONS>;
  readonly #discovery: DiscoveryService;
  #hasHost: boolean;
  #entries: ReadonlyMap<string, JobEntry> | null = null;

  constructor(
    @Inject(CRON_OPTIONS) options: CronModuleOptions,
    @Inject(DiscoveryService) discovery: DiscoveryService,
    @Optional() @Inject(HostRef) host: HostRef | undefined,
  ) {
    this.#options = checkedOptions(CRON_MODULE_OPTIONS, options, cronErrorOf('cron'));
    this.#discovery = discovery;
    this.#hasHost = host !== undefined;
  }

  /** Every job, in Nest's scan order. */
  all(): readonly JobControl[] {
    return [...this.#found.values()].map(({ job }) => job);
  }

  /** @throws CronError for a name that no job has. */
  get(name: string): JobControl {
    const entry = this.#found.get(name);
    if (entry !== undefined) return entry.job;
    const known = [...this.#found.keys()].join(', ') || 'none';
    throw new CronError(`cron: there is no job ${name}; the jobs are: ${known}`);
  }

  jobs(): readonly JobState[] {
    return this.all().map(({ status }) => stateOf(status));
  }

  /** As {@link JobControl.trigger}, by name. */
  async run(name: string): Promise<void> {
    await this.get(name).trigger();
  }

  *metrics(): Iterable<MetricReading> {
    for (const { status } of this.all()) yield* readingsOf(status);
  }

  /** Jobs bring work into the process: they start after all services, and end before them. */
  extend(builder: HostBuilder): void {
    this.#hasHost = true;
    if (!this.#options.enabled) return;
    for (const { job, found } of this.#found.values()) {
      const { restart, everywhere } = found.options;
      // Of an app in several processes, one runs the jobs.
      const single = this.#options.replicas === undefined && everywhere !== true;
      // Why: docs/decisions/0080
      builder.addService(job, { tier: 'transport', single, ...(restart && { restart }) });
    }
  }

  onModuleInit(): void {
    listInSchedulerRegistry(this.#discovery, this.all());
  }

  onApplicationBootstrap(): void {
    const count = this.#found.size;
    if (this.#hasHost || count === 0 || !this.#options.enabled) return;
    this.#logger.warn(
      `${count} jobs will not run because there is no host; start the app with runHost, import ` +
        'HostxModule (in an application context with applicationContext: true), or set enabled: false in ' +
        'CronModule.forRoot if this is intended',
    );
  }

  get #found(): ReadonlyMap<string, JobEntry> {
    this.#entries ??= this.#make();
    return this.#entries;
  }

  /** @throws CronError with all mistakes. */
  #make(): ReadonlyMap<string, JobEntry> {
    const workScopes = discoverMarked<WorkScope>(this.#discovery, WORK_SCOPE);
    const entries = new Map<string, JobEntry>();
    const mistakes: string[] = [];
    for (const found of exploreJobs(this.#discovery)) {
      const other = entries.get(found.name);
      if (other !== undefined) {
        const { place } = other.found;
        mistakes.push(`job ${found.name}: ${place} and ${found.place} have the same name`);
        continue;
      }
      try {
        entries.set(found.name, { found, job: this.#job(found, workScopes) });
      } catch (error) {
        const own = error instanceof CronError ? error.mistakes : [];
        for (const mistake of own.length > 0 ? own : [thrownText(error)]) {
          mistakes.push(`${found.place}: ${mistake}`);
        }
      }
    }
    if (mistakes.length > 0) throw cronErrorOf('cron')(mistakes);
    return entries;
  }

  #job({ name, timing, work, options }: FoundJob, workScopes: readonly WorkScope[]): HostedJob {
    const { timeZone, replicas, errorHandler = this.#log } = this.#options;
    const isInZone = 'schedule' in timing && typeof timing.schedule === 'string';
    const given = {
      ...(isInZone && { timeZone }),
      errorHandler,
      ...defined(options),
      workScopes,
    };
    const parts = jobParts(name, timing, work, given, DECORATED_OPTIONS);
    if (replicas === undefined || options.everywhere === true) {
      return new CronJob(parts.timing, parts.runs);
    }
    return replicas.job(parts.timing, parts.runs);
  }

  readonly #log = (thrown: unknown, { job }: { readonly job: string }): void => {
    const error = thrownError(thrown);
    // Our own errors name the job and say all there is to say.
    if (error instanceof CronError) {
      this.#logger.error(error.message);
      return;
    }
    const stack = error === thrown ? error.stack : undefined;
    this.#logger.error(`a run of job ${job} failed: ${thrownText(error)}`, stack);
  };
}

/** Without undefined values, which would hide a default. */
function defined<T extends object>(options: T): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as T;
}
