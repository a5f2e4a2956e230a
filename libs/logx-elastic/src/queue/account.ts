import type { ShippingAccount, ShippingFigure } from '@apix/logx/shipping';

/**
 * The counters of a sink: those that all network sinks have, and those of the spool. At any moment
 * `logged + recovered` is the sum of `sent`, `failed`, `dropped`, `queued` and `spooled`.
 */
export class Account {
  recovered = 0;
  spooled = 0;
  /** Bytes of the events in memory, action lines included. */
  queuedBytes = 0;
  /** Events in memory that are not on disk as well, and their bytes. */
  volatile = 0;
  volatileBytes = 0;
  /** The figures of this sink in addition to those of all network sinks. */
  readonly figures: Readonly<Record<'recovered' | 'spooled', ShippingFigure>> = {
    recovered: {
      kind: 'counter',
      description: 'Events that an earlier process left on disk',
      value: () => this.recovered,
    },
    spooled: { kind: 'gauge', description: 'Events on disk alone', value: () => this.spooled },
  };

  constructor(readonly shipping: ShippingAccount) {}
}
