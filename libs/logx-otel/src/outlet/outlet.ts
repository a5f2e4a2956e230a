import type { Translation } from '../record/translation.js';

/** Where every record is at one moment; `accepted` is the sum of the others. */
export interface Figures {
  readonly sent: number;
  readonly failed: number;
  /** Waiting, or in an export that has not ended. */
  readonly queued: number;
  /** When the oldest of those was accepted, in milliseconds since the epoch; undefined for none. */
  readonly oldest: number | undefined;
}

/** What takes records on their way to OpenTelemetry. */
export interface Outlet {
  /** Told in metrics. */
  readonly target: string;
  readonly figures: Figures;
  /** Why nothing goes out at this moment; undefined when all is well. */
  readonly trouble: string | undefined;
  /** False for a record that there is no room for, or nobody to take it. */
  take(record: Translation): boolean;
  /** Resolves when what was taken so far is settled, or when the signal aborts. */
  flush(signal: AbortSignal): Promise<void>;
  /** As {@link flush}; then releases. @returns the records that were given up. */
  close(signal: AbortSignal): Promise<number>;
}
