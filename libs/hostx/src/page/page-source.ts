import {
  type JobSource,
  type JobState,
  type MetricReading,
  type MetricSource,
  type TraceSource,
  thrownText,
  messageReplacer,
} from '@apix/contracts';
import type { HealthRegistry } from '../health/health-registry.js';
import type { HostStatus } from '../state/host-phase.js';
import { traceRows } from './page-traces.js';
import type { FigureView, HealthView, JobRow, PageView } from './page-view.js';

/** The sources of the page's content. */
export interface PageSources {
  state(): HostStatus;
  environment(): string;
  health(): HealthRegistry;
  readonly jobs: readonly JobSource[];
  readonly metrics: readonly MetricSource[];
  readonly traces: readonly TraceSource[];
}

/** The part of a view that is current state, not history. */
export type PageState = Pick<
  PageView,
  'process' | 'host' | 'services' | 'jobs' | 'figures' | 'traces'
>;

const STARTED_AT = Date.now() - Math.round(process.uptime() * 1_000);

/** The current state of everything. A source that throws is left out; the page must not fail with it. */
export function pageState(sources: PageSources): PageState {
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
    jobs: sources.jobs.flatMap((source) => read(() => source.jobs(), jobRow)),
    figures: sources.metrics.flatMap((source) => read(() => source.metrics(), figure)),
    traces: traceRows(sources.traces),
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

function read<T, Row>(ask: () => Iterable<T>, row: (one: T) => Row): Row[] {
  try {
    // A value that is not JSON, such as a bigint, must fail here and not where the whole view is written.
    return JSON.parse(JSON.stringify([...ask()].map(row), messageReplacer())) as Row[];
  } catch {
    return [];
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
