import type { JobSource } from '@apix/contracts';
import type { PageAction } from './page-action.js';

/** Runs a job now: `?job=<name>`. */
export function runJob(sources: readonly JobSource[]): PageAction {
  return {
    plan(query) {
      const job = query.get('job');
      if (job === null) return undefined;
      const source = sources.find((each) => each.run !== undefined && has(each, job));
      if (source === undefined) return undefined;
      return { subject: job, text: 'run by hand', run: () => source.run!(job) };
    },
  };
}

/** A source that throws is not asked for its jobs either. */
function has(source: JobSource, job: string): boolean {
  try {
    return source.jobs().some(({ name }) => name === job);
  } catch {
    return false;
  }
}
