import type { DiscoveryService } from '@nestjs/core';
import { cronErrorOf } from '../errors.js';
import type { JobWork } from '../job/job-options.js';
import { type JobMark, jobMarks } from './job.decorators.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Method = string | symbol;

/** A decorated method of one instance. */
export interface FoundJob extends JobMark {
  readonly work: JobWork;
  /** Class and method, for messages. */
  readonly place: string;
}

/**
 * The jobs of all providers and controllers.
 *
 * @throws CronError for jobs on a provider that is not a singleton.
 */
export function exploreJobs(discovery: DiscoveryService): readonly FoundJob[] {
  const jobs: FoundJob[] = [];
  const mistakes: string[] = [];
  const seen = new Set<unknown>();
  for (const wrapper of [...discovery.getProviders(), ...discovery.getControllers()]) {
    if (!isSingleton(wrapper)) {
      for (const { name } of jobMarks(wrapper.metatype?.prototype)) {
        mistakes.push(
          `job ${name}: ${wrapper.name} is request- or transient-scoped, or depends on such a ` +
            'provider; move the job to a singleton',
        );
      }
      continue;
    }
    const instance: unknown = wrapper.instance;
    if (typeof instance !== 'object' || instance === null || seen.has(instance)) continue;
    seen.add(instance);
    jobs.push(...jobMarks(Object.getPrototypeOf(instance)).map((mark) => foundJob(instance, mark)));
  }
  if (mistakes.length > 0) throw cronErrorOf('cron')(mistakes);
  return jobs;
}

function foundJob(instance: object, mark: JobMark): FoundJob {
  const methods = instance as Readonly<Record<Method, JobWork>>;
  return {
    ...mark,
    place: `${instance.constructor.name}.${String(mark.method)}`,
    work: (signal, tick) => methods[mark.method]!(signal, tick),
  };
}

function isSingleton(wrapper: Wrapper): boolean {
  return !wrapper.isTransient && wrapper.isDependencyTreeStatic();
}
