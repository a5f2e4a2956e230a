import { type Clock, systemClock } from '@apix/contracts';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import { FAILED } from './lazy-exporter.js';

type Export = Parameters<LogRecordExporter['export']>;

/**
 * gRPC codes after which a request may be sent again, from the OTLP specification: CANCELLED,
 * DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE, DATA_LOSS. After RESOURCE_EXHAUSTED that is allowed
 * only if the server states a delay, which is not supported here.
 */
const RETRYABLE: ReadonlySet<unknown> = new Set([1, 4, 10, 11, 14, 15]);

/** The same values as in OpenTelemetry's exporters over HTTP; times in milliseconds. */
const MAX_ATTEMPTS = 6;
const INITIAL_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 5_000;
const FACTOR = 1.5;
const JITTER = 0.2;

/**
 * Adds retries to OpenTelemetry's exporter over gRPC, which sends a request only once. OpenTelemetry's
 * exporter over HTTP already retries.
 */
export class RetryingExporter implements LogRecordExporter {
  constructor(
    private readonly inner: LogRecordExporter,
    /** No retry starts later than this after the first attempt, in milliseconds. */
    private readonly timeoutMs: number,
    private readonly onRetry: (records: number) => void,
    private readonly clock: Clock = systemClock,
    private readonly random: () => number = Math.random,
  ) {}

  export(...[records, done]: Export): void {
    const end = this.clock.now() + this.timeoutMs;
    const attempt = (number: number, backoffMs: number): void => {
      this.inner.export(records, (result) => {
        const delay = backoffMs * (1 + (this.random() * 2 - 1) * JITTER);
        const isLast = number >= MAX_ATTEMPTS || this.clock.now() + delay > end;
        if (isLast || !isRetryable(result)) done(result);
        else {
          const next = Math.min(backoffMs * FACTOR, MAX_BACKOFF_MS);
          this.clock.after(delay, () => {
            this.onRetry(records.length);
            attempt(number + 1, next);
          });
        }
      });
    };
    attempt(1, INITIAL_BACKOFF_MS);
  }

  async forceFlush(): Promise<void> {
    await this.inner.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }
}

function isRetryable({ code, error }: Parameters<Export[1]>[0]): boolean {
  return (code as number) === FAILED && RETRYABLE.has((error as { code?: unknown })?.code);
}
