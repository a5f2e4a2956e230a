import type { LogEvent } from '@apix/logx/core';
import type { Translation } from '../record/translation.js';

/** Passes records to OpenTelemetry, and counts them in the account of the sink. */
export interface Outlet {
  /** When the oldest record that waits was accepted; undefined if none does. */
  readonly since: number | undefined;
  /** Why nothing can be sent at present; undefined if it can. */
  readonly trouble: string | undefined;
  /** Takes the record of an event, static attributes included, or drops it. */
  emit(event: LogEvent): void;
  /** The same for a record whose event is not there. */
  take(record: Translation): void;
  /** Resolves when the records taken so far are settled, or when the signal aborts. */
  flush(signal: AbortSignal): Promise<void>;
  /** As {@link flush}; then releases. */
  close(signal: AbortSignal): Promise<void>;
  /** Called when the process is about to end by itself. */
  onIdle(): void;
}
