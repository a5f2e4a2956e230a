import type { MetricReading, MetricSource } from '@apix/contracts';
import { METRIC_SOURCE } from '@apix/contracts';
import type { Catalogue } from '../catalogue/catalogue.js';

/** Figures of what is served now: those of the gateway, and of the decisions. */
export class CatalogueFigures implements MetricSource {
  readonly [METRIC_SOURCE] = true as const;
  readonly #catalogue: Catalogue;
  /** Of gateways before the one that is served: counters never go back. */
  readonly #before = new Map<number, number>();
  #last: Catalogue['current'];

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  *metrics(): Iterable<MetricReading> {
    const { current } = this.#catalogue;
    if (current !== this.#last) this.#retire();
    this.#last = current;
    if (current === undefined) return;
    const { active, served } = current.gateway.counts;
    yield {
      name: 'apix.gateway.requests.active',
      kind: 'gauge',
      value: active,
      description: 'REST requests under way',
    };
    for (const status of new Set([...this.#before.keys(), ...served.keys()])) {
      yield {
        name: 'apix.gateway.requests',
        kind: 'counter',
        value: (this.#before.get(status) ?? 0) + (served.get(status) ?? 0),
        description: 'REST requests that have ended, by HTTP status',
        attributes: { status: String(status), transport: 'network' },
      };
    }
    if (current.authorizer !== undefined) yield* current.authorizer.metrics();
  }

  #retire(): void {
    for (const [status, count] of this.#last?.gateway.counts.served ?? []) {
      this.#before.set(status, (this.#before.get(status) ?? 0) + count);
    }
  }
}
