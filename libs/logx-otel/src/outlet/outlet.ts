import type { LogEvent } from '@apix/logx/core';
import type { Translation } from '../record/translation.js';

/** Passes records to OpenTelemetry, and counts them in the counters of the sink. */
export interface Outlet {
  /** When the oldest record that waits was accepted; undefined if none does. */
  readonly since: number | undefined;
  /** Why nothing can be sent at present; undefined if it can. */
  readonly trouble: string | undefined;
  /** Accepts the record of an event, including the static attributes, or drops it. */
  emit(event: LogEvent): void;
  /** The same for a record without an event. */
  take(record: Translation): void;
  /** Resolves when the records accepted so far are settled, or when the signal aborts. */
  flush(signal: AbortSignal): Promise<void>;
  /** Flushes like {@link flush}, then releases all resources. */
  close(signal: AbortSignal): Promise<void>;
  /** Called when the event loop is empty, before the process exits. */
  onIdle(): void;
}
