import { defaultResource } from '@opentelemetry/resources';
import { BatchLogRecordProcessor } from '@opentelemetry/sdk-logs';
import type { EndpointSettings } from '../config/resolve-config.js';
import type { Translation } from '../record/translation.js';
import { BatchedRecord, type Origin } from './batched-record.js';
import { ExportAccount } from './export-account.js';
import { LazyExporter } from './lazy-exporter.js';
import { DEFAULT_TIMEOUT_MS, openExporter } from './open-exporter.js';
import type { Figures, Outlet } from './outlet.js';

type SdkRecord = Parameters<BatchLogRecordProcessor['onEmit']>[0];

/** What an export may take beyond its exporter's limits before the next one begins. */
const GRACE_MS = 1_000;

/**
 * An exporter and OpenTelemetry's batching processor. The processor drops records silently when
 * its queue is full, so nothing is given to it that it would drop.
 */
export class EndpointOutlet implements Outlet {
  readonly target: string;
  readonly #processor: BatchLogRecordProcessor;
  readonly #account: ExportAccount;
  readonly #origin: Origin;
  readonly #queueSize: number;
  /** When each of the latest records was accepted; a record's place is its number. */
  readonly #acceptedAt: Float64Array;
  #accepted = 0;
  #waiting: (() => void)[] = [];
  #flushing: Promise<void> | undefined;
  #isClosed = false;
  /** What was still queued when the time to close was up; later answers change nothing. */
  #atEnd: Figures | undefined;

  constructor(
    settings: EndpointSettings,
    scopeName: string,
    private readonly onError: (message: string, cause?: unknown) => void,
    private readonly now: () => number,
  ) {
    const { endpoint, queueSize, batchSize, flushIntervalMs, timeoutMs, resource } = settings;
    this.target = endpoint;
    this.#queueSize = queueSize;
    this.#acceptedAt = new Float64Array(queueSize + batchSize);
    const lazy = new LazyExporter(async () => {
      try {
        return await openExporter(settings, (rejection) => this.#account.reject(rejection));
      } catch (error) {
        onError((error as Error).message, error);
        throw error;
      }
    });
    this.#account = new ExportAccount(lazy, this.#onSettled, (records, reason, cause) =>
      onError(`${records} records were not taken: ${reason}`, cause),
    );
    this.#processor = new BatchLogRecordProcessor({
      exporter: this.#account,
      maxQueueSize: queueSize,
      maxExportBatchSize: batchSize,
      scheduledDelayMillis: flushIntervalMs,
      // The last retry may begin when the timeout is nearly over, and take as long again.
      exportTimeoutMillis: 2 * (timeoutMs || DEFAULT_TIMEOUT_MS) + GRACE_MS,
    });
    this.#origin = {
      resource: resource ?? defaultResource(),
      instrumentationScope: { name: scopeName },
    };
    process.on('beforeExit', this.#onIdle);
  }

  get trouble(): string | undefined {
    return this.#account.trouble;
  }

  get figures(): Figures {
    if (this.#atEnd !== undefined) return this.#atEnd;
    const { sent, failed, settled } = this.#account;
    const queued = this.#accepted - settled;
    const oldest = queued > 0 ? this.#acceptedAt[settled % this.#acceptedAt.length] : undefined;
    return { sent, failed, queued, oldest };
  }

  take(record: Translation): boolean {
    // Why: docs/decisions/0077
    if (this.#isClosed || this.#accepted - this.#account.handed >= this.#queueSize) return false;
    const now = this.now();
    this.#acceptedAt[this.#accepted % this.#acceptedAt.length] = now;
    this.#accepted++;
    // The processor keeps it and the exporter reads it; nobody calls the methods of an SdkRecord.
    const batched = new BatchedRecord(record, now, this.#origin);
    this.#processor.onEmit(batched as unknown as SdkRecord);
    return true;
  }

  async flush(signal: AbortSignal): Promise<void> {
    const target = this.#accepted;
    while (this.#account.settled < target && !signal.aborted) {
      const isWaiting = this.#accepted > this.#account.handed;
      await orAborted(isWaiting ? this.#flushProcessor() : this.#nextSettled(), signal);
    }
  }

  async close(signal: AbortSignal): Promise<number> {
    process.off('beforeExit', this.#onIdle);
    this.#isClosed = true;
    await this.flush(signal);
    const { queued, sent, failed } = this.figures;
    this.#atEnd = { sent, failed, queued: 0, oldest: undefined };
    const ended = this.#processor.shutdown().catch((error: unknown) => {
      this.onError('the exporter could not be shut down', error);
    });
    await orAborted(ended, signal);
    return queued;
  }

  /** The processor's timer does not keep the process alive, so its end is the time to send. */
  readonly #onIdle = (): void => {
    if (this.#account.settled < this.#accepted) void this.#flushProcessor();
  };

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
      this.onError('a flush failed', error);
    } finally {
      this.#flushing = undefined;
    }
  }
}

function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    void work.then(end);
  });
}
