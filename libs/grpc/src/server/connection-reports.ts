import type { MetricReading } from '@apix/contracts';
import { SparingReport } from './sparing-report.js';

const UNKNOWN = 'an unknown address';

/** Counts connections that are ended for what their clients do, or refused, and warns of them. */
export class ConnectionReports {
  readonly #misuses: SparingReport;
  readonly #refusals: SparingReport;
  #misused = 0;
  #refused = 0;

  /** @param most connections that may be open, for the text. */
  constructor(warn: (text: string) => void, most: number | undefined) {
    this.#misuses = new SparingReport(
      (what) => warn(`ended the connection of ${what}`),
      (count, last) => warn(`ended ${count} more connections, the last of ${last}`),
    );
    this.#refusals = new SparingReport(
      (peer) =>
        warn(`refused a connection of ${peer}: maxConnections is ${most}, and as many are open`),
      (count, last) => warn(`refused ${count} more connections, the last of ${last}`),
    );
  }

  onMisuse(peer: string = UNKNOWN, reason: string): void {
    this.#misused++;
    this.#misuses.note(`${peer}: ${reason}`);
  }

  onRefused(peer: string = UNKNOWN): void {
    this.#refused++;
    this.#refusals.note(peer);
  }

  *metrics(): Iterable<MetricReading> {
    yield {
      name: 'apix.grpc.connections.refused',
      kind: 'counter',
      value: this.#refused,
      description: 'Connections refused because as many as maxConnections were open',
    };
    yield {
      name: 'apix.grpc.connections.misused',
      kind: 'counter',
      value: this.#misused,
      description: 'Connections ended for what their clients did',
    };
  }

  /** Reports what was only counted until now. */
  stop(): void {
    this.#misuses.stop();
    this.#refusals.stop();
  }
}
