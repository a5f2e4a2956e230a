import { METRIC_SOURCE, type MetricReading } from '@apix/contracts';
import { hasMark } from '@apix/contracts/internal';
import type { Service } from '../service.js';
import type { HostStatus } from '../state/transitions.js';

/**
 * The figures of a host for meters: `hostx.host.up`, the restarts of services, and the services' own
 * figures.
 */
export function* readingsOfHost(
  { phase, services }: HostStatus,
  parts: readonly Service[],
  onFailure: (service: string, error: unknown) => void = () => {},
): Iterable<MetricReading> {
  yield {
    name: 'hostx.host.up',
    kind: 'gauge',
    value: phase === 'running' ? 1 : 0,
    description: 'Whether everything of the host is started and nothing has asked it to stop',
  };
  for (const { name, restarts, askedRestarts } of services) {
    const attributes = { service: name };
    yield {
      name: 'hostx.service.restarts',
      kind: 'counter',
      value: restarts,
      description: 'Restarts of a service after failures',
      attributes,
    };
    yield {
      name: 'hostx.service.asked_restarts',
      kind: 'counter',
      value: askedRestarts,
      description: 'Restarts of a service that somebody asked for',
      attributes,
    };
  }
  for (const part of parts) {
    if (part.metrics === undefined) continue;
    let failed = false;
    yield* readingsOf(part, (error) => {
      failed = true;
      onFailure(part.name, error);
    });
    if (failed) yield failureOf(part.name);
  }
}

/** Empty if that throws: the figures of the others must not be lost. */
function readingsOf(
  service: Service,
  onFailure: (error: unknown) => void,
): readonly MetricReading[] {
  // Code that looks for metric sources finds it by itself: docs/decisions/0074.
  if (service.metrics === undefined || hasMark(service, METRIC_SOURCE)) return [];
  try {
    return [...service.metrics()];
  } catch (error) {
    onFailure(error);
    return [];
  }
}

function failureOf(service: string): MetricReading {
  return {
    name: 'hostx.service.metrics.failed',
    kind: 'gauge',
    value: 1,
    description: 'Present while the metrics of a service cannot be read',
    attributes: { service },
  };
}
