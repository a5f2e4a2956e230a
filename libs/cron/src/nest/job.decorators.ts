import 'reflect-metadata';
import type { Duration } from '@apix/contracts';
import { anyValue, FLAG } from '@apix/contracts/internal';
import type { RestartPolicy } from '@apix/hostx';
import type { JobOptions, JobWork } from '../job/job-options.js';
import type { JobTiming } from '../job/make-job.js';
import type { Schedule } from '../schedule/schedule.js';

/** Options of a decorated job. */
export interface EveryOptions extends Omit<JobOptions, 'workScopes' | 'clock' | 'random'> {
  /** What happens when it stops on an error. Default: the whole host stops, naming it. */
  readonly restart?: RestartPolicy | undefined;
  /**
   * With replicas, has each of them run every tick, as for what concerns a replica alone, such
   * as its cache. Default: false.
   */
  readonly everywhere?: boolean | undefined;
}

/** Options of a decorated job on a schedule. */
export interface AtDecoratorOptions extends EveryOptions {
  /** IANA name in which an expression is read. Default: that of the module. */
  readonly timeZone?: string | undefined;
}

/** A method that is a job. */
export interface JobMark {
  readonly name: string;
  readonly timing: JobTiming;
  readonly method: string | symbol;
  readonly options: AtDecoratorOptions;
}

/** The allowed values of the options that only decorated jobs have. */
export const DECORATED_OPTIONS = {
  // Read by the host, which gets the job.
  restart: anyValue<RestartPolicy>(),
  everywhere: FLAG,
};

type JobDecorator = <T extends JobWork>(
  target: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<T>,
) => void;

/** Key of a class's jobs; a text, so that two installed copies agree. */
const JOBS = 'apix:CronJobs';

/**
 * Runs the method on a fixed interval: `(signal: AbortSignal, tick: Tick)`. The name is unique in
 * the host. See `every`.
 */
export function Every(name: string, interval: Duration, options: EveryOptions = {}): JobDecorator {
  return mark({ name, timing: { interval }, options });
}

/**
 * Runs the method on a schedule, such as an expression of five fields: `(signal: AbortSignal,
 * tick: Tick)`. The name is unique in the host. See `at`.
 */
export function At(
  name: string,
  schedule: string | Schedule,
  options: AtDecoratorOptions = {},
): JobDecorator {
  return mark({ name, timing: { schedule }, options });
}

function mark(job: Omit<JobMark, 'method'>): JobDecorator {
  return (target, method) => {
    const own = (Reflect.getOwnMetadata(JOBS, target) ?? []) as readonly JobMark[];
    Reflect.defineMetadata(JOBS, [...own, { ...job, method }], target);
  };
}

/** The jobs of a class, a base class's first; an overriding method counts once. */
export function jobMarks(prototype: unknown): readonly JobMark[] {
  const found: JobMark[] = [];
  for (let at = prototype; at instanceof Object; at = Object.getPrototypeOf(at)) {
    const own = (Reflect.getOwnMetadata(JOBS, at) ?? []) as readonly JobMark[];
    found.unshift(...own.filter(({ method }) => !found.some((known) => known.method === method)));
  }
  return found;
}
