import { type OptionTable } from '@apix/contracts/internal';
import type { Observer } from '@apix/hostx/core';
import { type MeterProvider, metrics, type Span, type TracerProvider } from '@opentelemetry/api';
import { otelOptions } from '../errors.js';
import { SCOPE_NAME } from '../names.js';
import { endSpan, GuardedTracer } from '../tracing/guarded-tracer.js';
import { METER_PROVIDER, TRACER_PROVIDER } from '../tracing/option-kinds.js';
import { endFailed } from '../tracing/span-failure.js';

export interface OtelObserverOptions {
  /** Receives the figures; its owner shuts it down. Default: the global one, as it is at this moment. */
  readonly meterProvider?: MeterProvider | undefined;
  /** Receives the spans; its owner shuts it down. Default: the global one. */
  readonly tracerProvider?: TracerProvider | undefined;
}

const OBSERVER_OPTIONS = {
  meterProvider: METER_PROVIDER,
  tracerProvider: TRACER_PROVIDER,
} satisfies OptionTable<OtelObserverOptions>;

/** Upper bounds of the histogram of stops, in seconds, up to the usual shutdown timeouts. */
const STOP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

/** The names that {@link otelObserver} records under. */
export const OBSERVED_NAMES: ReadonlySet<string> = new Set([
  'hostx.host.up',
  'hostx.service.restarts',
  'hostx.service.asked_restarts',
  'hostx.service.failures',
  'hostx.service.stop.duration',
]);

/**
 * An observer that records the gauge `hostx.host.up` (1 while everything is started and nothing
 * has asked the host to stop), the counters `hostx.service.restarts`, `hostx.service.asked_restarts` and
 * `hostx.service.failures`, the histogram `hostx.service.stop.duration` (seconds) and the span `hostx.service.stop`; all but
 * the first with the attribute `service`. The counters of a service begin at 0, with its first
 * start, so that a rate sees the first restart. One observer is for one host.
 *
 * @throws OtelError for wrong options.
 */
export function otelObserver(options: OtelObserverOptions = {}): Observer {
  otelOptions(OBSERVER_OPTIONS, options);
  const meter = (options.meterProvider ?? metrics).getMeter(SCOPE_NAME);
  const restarts = meter.createCounter('hostx.service.restarts', {
    description: 'Restarts of a service after failures',
  });
  const askedRestarts = meter.createCounter('hostx.service.asked_restarts', {
    description: 'Restarts of a service that somebody asked for',
  });
  const failures = meter.createCounter('hostx.service.failures', {
    description: 'Services that ended early and were not restarted',
  });
  // Why: docs/decisions/0074
  const stops = meter.createHistogram('hostx.service.stop.duration', {
    description: 'How long a service took to stop',
    unit: 's',
    advice: { explicitBucketBoundaries: STOP_BUCKETS },
  });
  const stopping = new Map<string, Span>();
  const endStop = (service: string, error?: Error): void => {
    const span = stopping.get(service);
    if (span === undefined) return;
    stopping.delete(service);
    if (error === undefined) endSpan(span);
    else endFailed(span, error);
  };
  let up = 0;
  meter
    .createObservableGauge('hostx.host.up', {
      description: 'Whether everything is started and nothing has asked the host to stop',
    })
    .addCallback((result) => result.observe(up));

  return {
    hostPhaseChanged: ({ to }) => {
      up = to === 'running' ? 1 : 0;
    },
    serviceStarting: ({ service }) => {
      restarts.add(0, { service });
      askedRestarts.add(0, { service });
      failures.add(0, { service });
    },
    serviceRestarting: ({ service }) => restarts.add(1, { service }),
    serviceRestartAsked: ({ service }) => askedRestarts.add(1, { service }),
    serviceFailed: ({ service }) => failures.add(1, { service }),
    serviceStopping: ({ service }) => {
      const tracer = new GuardedTracer(options.tracerProvider);
      stopping.set(service, tracer.startSpan('hostx.service.stop', { attributes: { service } }));
    },
    serviceStopped: ({ service, durationMs, error }) => {
      stops.record(durationMs / 1000, { service, outcome: error ? 'failed' : 'stopped' });
      endStop(service, error);
    },
    serviceAbandoned: ({ service, afterMs }) => {
      stops.record(afterMs / 1000, { service, outcome: 'abandoned' });
      endStop(service, new Error('the service did not stop by the deadline'));
    },
  };
}
