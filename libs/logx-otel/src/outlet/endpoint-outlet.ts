import { orAborted, thrownText } from '@apix/contracts';
import type { LogEvent } from '@apix/logx/core';
import { passesBounds, type ShippingContext } from '@apix/logx/shipping';
import { defaultResource } from '@opentelemetry/resources';
import { BatchLogRecordProcessor } from '@opentelemetry/sdk-logs';
import type { EndpointSettings } from '../config/resolve-config.js';
import { isFatal } from '../record/severity.js';
import type { Translation } from '../record/translation.js';
import { ExportAccount } from './export-account.js';
import { LazyExporter } from './lazy-exporter.js';
import { DEFAULT_TIMEOUT_MS, openExporter } from './open-exporter.js';
import { type OutgoingRecord, OutgoingRecords } from './outgoing-records.js';
import type { Outlet } from './outlet.js';

/** For how many fatal records beyond the bound the times are remembered. */
const FATAL_ROOM = 16;

type SdkRecord = Parameters<BatchLogRecordProcessor['onEmit']>[0];

/** How much longer than its exporter's limits an export may take before the next one begins. */
const GRACE_MS = 1_000;

/**
 * An exporter and OpenTelemetry's batching processor. The processor drops records silently when
 * its queue is full, so nothing is given to it that it would drop.
 */
export class EndpointOutlet implements Outlet {
  readonly #processor: BatchLogRecordProcessor;
  readonly #account: ExportAccount;
  readonly #records: OutgoingRecords;
  readonly #queueSize: number;
  /** When each of the latest records was accepted; a record's place is its number. */
  readonly #acceptedAt: Float64Array;
  #accepted = 0;
  #waiting: (() => void)[] = [];
  #flushing: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    settings: EndpointSettings,
    scopeName: string,
    staticAttributes: Readonly<Record<string, string>>,
    private readonly context: ShippingContext,
  ) {
    const { report } = context;
    const { queueSize, batchSize, flushIntervalMs, timeoutMs, resource } = settings;
    this.#queueSize = queueSize;
    this.#acceptedAt = new Float64Array(queueSize + batchSize + FATAL_ROOM);
    const records = new OutgoingRecords(resource ?? defaultResource(), scopeName, staticAttributes);
    this.#records = records;
    const lazy = new LazyExporter(async () => {
      try {
        return await openExporter(settings, {
          onRejected: (rejection) => this.#account.reject(rejection),
          onRetry: (count) => (context.account.retried += count),
          onMade: (exporter) => records.serve(exporter),
        });
      } catch (error) {
        report(thrownText(error), error);
        throw error;
      }
    });
    this.#account = new ExportAccount(lazy, context, this.#onSettled);
    this.#processor = new BatchLogRecordProcessor({
      exporter: this.#account,
      // The processor gets only records that it must take; fatal records may exceed the bound.
      maxQueueSize: Number.MAX_SAFE_INTEGER,
      maxExportBatchSize: batchSize,
      scheduledDelayMillis: flushIntervalMs,
      // The last retry may begin when the timeout is nearly over, and take as long again.
      exportTimeoutMillis: 2 * (timeoutMs || DEFAULT_TIMEOUT_MS) + GRACE_MS,
    });
  }

  get trouble(): string | undefined {
    return this.#account.trouble;
  }

  get since(): number | undefined {
    const { settled } = this.#account;
    if (this.#isClosed || settled === this.#accepted) return undefined;
    return this.#acceptedAt[settled % this.#acceptedAt.length];
  }

  emit(event: LogEvent): void {
    if (this.#hasRoom(passesBounds(event))) {
      this.#accept(this.#records.ofEvent(event), this.context.clock.now());
    }
  }

  take(record: Translation): void {
    if (!this.#hasRoom(isFatal(record))) return;
    const now = this.context.clock.now();
    this.#accept(this.#records.ofTranslation(record, now), now);
  }

  /** Counts a record for which there is no room as dropped. */
  #hasRoom(passesBound: boolean): boolean {
    // Why: docs/decisions/0077
    if (this.#accepted - this.#account.handed < this.#queueSize || passesBound) return true;
    this.context.account.drop(1, 'full');
    return false;
  }

  #accept(record: OutgoingRecord, now: number): void {
    this.context.account.queued++;
    this.#acceptedAt[this.#accepted % this.#acceptedAt.length] = now;
    this.#accepted++;
    // The processor keeps it and the exporter reads it; the methods of an SdkRecord are not called.
    this.#processor.onEmit(record as unknown as SdkRecord);
  }

  async flush(signal: AbortSignal): Promise<void> {
    const target = this.#accepted;
    while (this.#account.settled < target && !signal.aborted) {
      const isWaiting = this.#accepted > this.#account.handed;
      const step = isWaiting ? this.#flushProcessor() : this.#nextSettled();
      await orAborted(step, signal).catch(() => {});
    }
  }

  async close(signal: AbortSignal): Promise<void> {
    await this.flush(signal);
    this.#isClosed = true;
    const ended = this.#processor.shutdown().catch((error: unknown) => {
      this.context.report(`cannot shut down the exporter: ${thrownText(error)}`, error);
    });
    await orAborted(ended, signal).catch(() => {});
  }

  /** The processor's timer does not keep the process alive, so its end is the time to send. */
  onIdle(): void {
    if (this.#account.settled < this.#accepted) void this.#flushProcessor();
  }

  readonly #onSettled = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  };

  #nextSettled(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** One at a time: the processor ignores a flush while another one runs. Never rejects. */
  #flushProcessor(): Promise<void> {
    return (this.#flushing ??= this.#flushOnce());
  }

  async #flushOnce(): Promise<void> {
    try {
      await this.#processor.forceFlush();
    } catch (error) {
      this.context.report(`cannot flush: ${thrownText(error)}`, error);
    } finally {
      this.#flushing = undefined;
    }
  }
}
