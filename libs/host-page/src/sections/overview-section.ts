import type { MetricReading, MetricSource } from '@apix/contracts';
import type { HostStatus } from '@apix/hostx';
import type { FigureView, RoutesView, ServiceView } from '../section-views.js';
import type { RouteHistory } from '../route-history.js';
import { type OnSourceFailure, readEachSource } from './read-each-source.js';
import type { PageSection } from './section.js';

export interface OverviewSources {
  readonly state: () => HostStatus;
  /** Whether some viewers may restart a service. */
  readonly restartable: boolean;
  readonly metrics: readonly MetricSource[];
  /** Null in an app in which nothing knows of requests. */
  readonly routes: RouteHistory | null;
  /** Called at each interval while the tab is open, for the events; never rejects. */
  readonly refresh?: () => Promise<void>;
}

/**
 * The services of the host, the readings of all metric sources, and what was counted of each route. A source that throws
 * is left out.
 */
export function overviewSection(
  { state, restartable, metrics, routes, refresh }: OverviewSources,
  onFailure: OnSourceFailure,
): PageSection<'overview'> {
  let told = 0;
  /** All of it, once for each moment. */
  const routesView = (full: boolean): RoutesView | undefined => {
    const moment = routes?.moment;
    if (moment === undefined || (!full && moment === told)) return undefined;
    if (!full) told = moment;
    return routes!.view();
  };
  return {
    id: 'overview',
    view: (full) => ({
      services: serviceViews(state()),
      restartable,
      figures: readEachSource(
        'metrics',
        metrics,
        (source) => [...source.metrics()].map(figure),
        onFailure,
      ),
      routes: routesView(full),
    }),
    ...(refresh && { refresh }),
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
