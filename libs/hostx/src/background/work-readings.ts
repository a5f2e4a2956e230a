import type { MetricReading } from '@apix/contracts';
import type { FollowedWork } from './followed-work.js';

/** The figures of background work for meters. */
export function* readingsOfWork(work: FollowedWork): Iterable<MetricReading> {
  const attributes = { work: work.about.name };
  yield {
    name: 'hostx.work.running',
    kind: 'gauge',
    value: work.underWay.length,
    description: 'Runs of background work that are under way',
    attributes,
  };
  for (const [outcome, value] of [
    ['ok', work.done],
    ['failed', work.failed],
  ] as const) {
    yield {
      name: 'hostx.work.runs',
      kind: 'counter',
      value,
      description: 'Runs of background work that have ended',
      attributes: { ...attributes, outcome },
    };
  }
  if (work.lastDurationMs === null) return;
  yield {
    name: 'hostx.work.last_duration',
    kind: 'gauge',
    value: work.lastDurationMs / 1_000,
    unit: 's',
    description: 'How long the last run of background work took',
    attributes,
  };
}
