import type { MetricReading, MetricSource } from '@apix/contracts';
import { METRIC_SOURCE } from '@apix/contracts';
import type { Gateway } from '@apix/gateway/core';
import type { Catalogue } from '../catalogue/catalogue.js';

type Counted = Pick<Gateway, 'counts'>;

/** Metrics of the requests, across all gateways that served them, and of the access decisions. */
export class CatalogueFigures implements MetricSource {
  readonly [METRIC_SOURCE] = true as const;
  readonly #catalogue: Catalogue;
  /** The current gateway, and earlier ones that still have requests in progress. */
  readonly #gateways = new Set<Counted>();
  /** Counts of the gateways that have ended: counters must never decrease. */
  readonly #ended = new Map<number, number>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Includes the requests of a gateway from now on. */
  follow(gateway: Counted): void {
    this.#gateways.add(gateway);
  }

  *metrics(): Iterable<MetricReading> {
    const { current } = this.#catalogue;
    if (current === undefined) return;
    const served = new Map(this.#ended);
    let active = 0;
    for (const gateway of this.#gateways) {
      const { counts } = gateway;
      active += counts.active;
      add(served, counts.served);
      if (gateway === current.gateway || counts.active > 0) continue;
      this.#gateways.delete(gateway);
      add(this.#ended, counts.served);
    }
    yield {
      name: 'apix.gateway.requests.active',
      kind: 'gauge',
      value: active,
      description: 'requests under way',
    };
    for (const [status, value] of served) {
      yield {
        name: 'apix.gateway.requests',
        kind: 'counter',
        value,
        description: 'requests that have ended, by HTTP status',
        attributes: { status: String(status), transport: 'network' },
      };
    }
    if (current.authorizer !== undefined) yield* current.authorizer.metrics();
  }
}

function add(to: Map<number, number>, counts: ReadonlyMap<number, number>): void {
  for (const [status, count] of counts) to.set(status, (to.get(status) ?? 0) + count);
}
