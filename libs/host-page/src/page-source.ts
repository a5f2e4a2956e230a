import {
  type JobSource,
  type JobState,
  type MetricReading,
  type MetricSource,
  type TraceSource,
  thrownText,
} from '@apix/contracts';
import type { HealthRegistry } from '@apix/hostx/core';
import type { HostStatus } from '@apix/hostx';
import { traceRows } from './page-traces.js';
import type { FigureView, HealthView, JobRow, PageView, ProcessRow } from './page-view.js';
import { type OnSourceFailure, readEachSource } from './read-each-source.js';

/** The sources of the page's content. */
export interface PageSources {
  state(): HostStatus;
  environment(): string;
  health(): HealthRegistry;
  /** All processes of the app; none, if there is only this one. */
  processes(): Promise<readonly ProcessRow[]>;
  /** Whether some viewers may have them replaced. */
  readonly restartable: boolean;
  readonly jobs: readonly JobSource[];
  readonly metrics: readonly MetricSource[];
  readonly traces: readonly TraceSource[];
}

/** The part of a view that is current state, not history. */
export type PageState = Pick<
  PageView,
  'process' | 'host' | 'services' | 'restartable' | 'jobs' | 'figures' | 'traces'
>;

const STARTED_AT = Date.now() - Math.round(process.uptime() * 1_000);

/** The current state of everything. A source that throws is left out; the page must not fail with it. */
export function pageState(sources: PageSources, onFailure: OnSourceFailure): PageState {
  const { phase, since, reason, services } = sources.state();
  return {
    process: { pid: process.pid, node: process.version, startedAt: STARTED_AT },
    host: { phase, since, reason, environment: sources.environment() },
    services: services.map(({ name, state, since, restarts, lastError }) => ({
      name,
      state,
      since,
      restarts,
      lastError: lastError?.message,
    })),
    restartable: sources.restartable,
    jobs: readEachSource(
      'jobs',
      sources.jobs,
      (source) => [...source.jobs()].map(jobRow),
      onFailure,
    ),
    figures: readEachSource(
      'metrics',
      sources.metrics,
      (source) => [...source.metrics()].map(figure),
      onFailure,
    ),
    traces: traceRows(sources.traces, onFailure),
  };
}

/** Runs the checks; never rejects. */
export async function healthView(registry: HealthRegistry): Promise<HealthView> {
  try {
    const { status, checks } = await registry.ready();
    return {
      isReady: status === 'ok',
      checks: Object.entries(checks).map(([name, outcome]) => ({ name, outcome })),
    };
  } catch (error) {
    return { isReady: false, checks: [{ name: 'health', outcome: thrownText(error) }] };
  }
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

function figure({
  name,
  attributes = {},
  value,
  unit = '',
  description,
}: MetricReading): FigureView {
  const labels = Object.entries(attributes).map(([key, text]) => `${key}=${text}`);
  return {
    name,
    attributes: labels.join(', '),
    // Nor is a bigint, which JSON does not have, from a source that is not written in TypeScript.
    value: Number.isFinite(value) ? value : null,
    unit,
    description,
  };
}
