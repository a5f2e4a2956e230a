import type { JobSource, JobState } from '@apix/contracts';
import type { JobRow } from '../section-views.js';
import { type OnSourceFailure, readEachSource } from './read-each-source.js';
import type { PageSection } from './section.js';

/**
 * The jobs of all job sources. A source that throws is left out.
 *
 * @param runnable whether some viewers may run them now.
 */
export function jobsSection(
  sources: readonly JobSource[],
  runnable: boolean,
  onFailure: OnSourceFailure,
): PageSection<'jobs'> {
  return {
    id: 'jobs',
    isPresent: () => sources.length > 0,
    view: () => ({
      jobs: readEachSource('jobs', sources, (source) => [...source.jobs()].map(jobRow), onFailure),
      runnable,
    }),
  };
}

function jobRow(job: JobState): JobRow {
  const { name, schedule, phase, next, lastStart, lastDurationMs, lastOutcome, lastError } = job;
  return {
    name,
    schedule,
    phase,
    next: next?.getTime() ?? null,
    lastStart: lastStart?.getTime() ?? null,
    lastDurationMs,
    lastOutcome,
    lastError,
    runs: job.runs,
    failures: job.failures,
  };
}
