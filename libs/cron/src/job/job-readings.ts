import type { MetricReading } from '@apix/contracts';
import type { JobStatus } from './job-status.js';

/** What is reported to meters about a job. */
export function* readingsOf(status: JobStatus): Iterable<MetricReading> {
  const { name: job, runs, skipped, lastRun } = status;
  for (const [outcome, value] of Object.entries(runs)) {
    yield {
      name: 'apix.cron.runs',
      kind: 'counter',
      value,
      description: 'Runs of a job that have ended',
      attributes: { job, outcome },
    };
  }
  yield {
    name: 'apix.cron.skipped',
    kind: 'counter',
    value: skipped,
    description: 'Ticks that were dropped because a run was under way',
    attributes: { job },
  };
  if (lastRun === null) return;
  yield {
    name: 'apix.cron.last_duration',
    kind: 'gauge',
    value: lastRun.durationMs / 1_000,
    unit: 's',
    description: 'How long the last run took',
    attributes: { job },
  };
}
