import type { MetricReading, MetricSource } from '@apix/contracts';
import type { HostStatus } from '@apix/hostx';
import type { FigureView, ServiceView } from '../page-view.js';
import { type OnSourceFailure, readEachSource } from './read-each-source.js';
import type { PageSection } from './section.js';

/**
 * The services of the host, and the readings of all metric sources. A source that throws is left out.
 *
 * @param restartable whether some viewers may restart a service.
 */
export function overviewSection(
  state: () => HostStatus,
  restartable: boolean,
  sources: readonly MetricSource[],
  onFailure: OnSourceFailure,
): PageSection<'overview'> {
  return {
    id: 'overview',
    view: () => ({
      services: serviceViews(state()),
      restartable,
      figures: readEachSource(
        'metrics',
        sources,
        (source) => [...source.metrics()].map(figure),
        onFailure,
      ),
    }),
  };
}

function serviceViews({ services }: HostStatus): ServiceView[] {
  return services.map(({ name, state, since, restarts, askedRestarts, tier, lastError }) => ({
    name,
    state,
    since,
    restarts,
    askedRestarts,
    canRestart: tier === 'service',
    lastError: lastError?.message,
  }));
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
