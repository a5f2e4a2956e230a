import { SparingReport } from './sparing-report.js';

const UNKNOWN = 'an unknown address';

/** Warnings of connections that are ended for what their clients do, or refused. */
export class ConnectionReports {
  readonly #misuses: SparingReport;
  readonly #refusals: SparingReport;

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
    this.#misuses.note(`${peer}: ${reason}`);
  }

  onRefused(peer: string = UNKNOWN): void {
    this.#refusals.note(peer);
  }

  /** Reports what was only counted until now. */
  stop(): void {
    this.#misuses.stop();
    this.#refusals.stop();
  }
}
