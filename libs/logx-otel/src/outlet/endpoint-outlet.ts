import { thrownText } from '@apix/contracts';
import { orAborted } from '@apix/contracts/internal';
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

/** For how many fatal records above the limit of the queue times are kept. */
const FATAL_ROOM = 16;

type SdkRecord = Parameters<BatchLogRecordProcessor['onEmit']>[0];

/** How much longer than the limits of the exporter an export may take before the next one starts. */
const GRACE_MS = 1_000;

/**
 * Passes records to OpenTelemetry's batching processor and an exporter. The processor drops records silently
 * when its queue is full, so it is never given more records than it can hold.
 */
export class EndpointOutlet implements Outlet {
  readonly #processor: BatchLogRecordProcessor;
  readonly #account: ExportAccount;
  readonly #records: OutgoingRecords;
  readonly #queueSize: number;
  /** When each of the latest records was accepted, by the number of the record modulo the length. */
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
      // The limit is checked before a record is passed on; fatal records may exceed it.
      maxQueueSize: Number.MAX_SAFE_INTEGER,
      maxExportBatchSize: batchSize,
      scheduledDelayMillis: flushIntervalMs,
      // The last retry may start shortly before the timeout, and take as long again.
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

  /** Counts a dropped record if there is no room. */
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
    // The processor stores the record and the exporter reads it; no methods of SdkRecord are called.
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

  /** The processor's timer does not keep the process alive, so the records that wait are sent now. */
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

  /** Runs one flush at a time, because the processor ignores a flush while another one runs. Never rejects. */
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
