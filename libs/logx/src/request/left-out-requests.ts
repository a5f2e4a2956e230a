import { type MetricReading, MetricSource } from '@apix/contracts';

/** The entry points of requests. */
export type SampledDoor = 'http' | 'grpc' | 'message';

/** How many events of one handler are left out. */
export interface LeftOutCount {
  readonly door: SampledDoor;
  readonly handler: string;
  total: number;
  /** Since the last event that was written. */
  pending: number;
  /** How many of those without a trace are left out before the next is written. */
  toSkip: number;
}

/** Counts the events of requests that `sample` leaves out, by handler. */
@MetricSource()
export class LeftOutRequests implements MetricSource {
  readonly #counts = new Map<string, LeftOutCount>();

  /** The count of a handler; there are as many counts as the app has handlers. */
  of(door: SampledDoor, handler: string): LeftOutCount {
    const key = `${door} ${handler}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const count = { door, handler, total: 0, pending: 0, toSkip: 0 };
    this.#counts.set(key, count);
    return count;
  }

  *metrics(): Iterable<MetricReading> {
    for (const { door, handler, total } of this.#counts.values()) {
      yield {
        name: 'apix.logx.requests.left_out',
        kind: 'counter',
        value: total,
        unit: '{request}',
        description: 'Requests that went well whose events sample left out',
        attributes: { door, handler },
      };
    }
  }
}
