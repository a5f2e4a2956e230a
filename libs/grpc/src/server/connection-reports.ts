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
      (count, last) =>
        warn(`ended ${count} more for what their clients did; the last was that of ${last}`),
    );
    const limit = `maxConnections is ${most}, and as many are open`;
    this.#refusals = new SparingReport(
      (peer) => warn(`refused a connection of ${peer}: ${limit}`),
      (count, last) => warn(`refused ${count} more, the last of ${last}: ${limit}`),
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
