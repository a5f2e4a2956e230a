import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import { FAILED } from './lazy-exporter.js';
import type { Rejection } from './partial-success.js';

type Done = Parameters<LogRecordExporter['export']>[1];
type Result = Parameters<Done>[0];

/**
 * An exporter before another one that knows what became of every record: those that it was
 * handed and that are not settled yet, those that were taken, and those that were not.
 */
export class ExportAccount implements LogRecordExporter {
  handed = 0;
  sent = 0;
  failed = 0;
  /** Of the last export; undefined when it went well. */
  trouble: string | undefined;
  /** Records that the collector rejected in the response that is being read. */
  #rejected = 0;
  #reason = '';

  constructor(
    private readonly inner: LogRecordExporter,
    private readonly onSettled: () => void,
    private readonly onFailure: (records: number, reason: string, cause?: Error) => void,
  ) {}

  get settled(): number {
    return this.sent + this.failed;
  }

  /** Told just before the success that it belongs to. */
  reject({ records, reason }: Rejection): void {
    this.#rejected += records;
    this.#reason = reason;
  }

  export(...[records, done]: Parameters<LogRecordExporter['export']>): void {
    const count = records.length;
    this.handed += count;
    let isOpen = true;
    const settle = (result: Result): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#settle(count, result);
      done(result);
    };
    try {
      this.inner.export(records, settle);
    } catch (error) {
      settle({ code: FAILED, error: error as Error });
    }
  }

  async forceFlush(): Promise<void> {
    await this.inner.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }

  #settle(count: number, { code, error }: Result): void {
    const rejected = Math.min(this.#rejected, count);
    this.#rejected = 0;
    if ((code as number) === FAILED) {
      this.failed += count;
      this.trouble = error?.message ?? 'the export failed';
      this.onFailure(count, this.trouble, error);
    } else {
      this.sent += count - rejected;
      this.failed += rejected;
      this.trouble = undefined;
      if (rejected > 0) this.onFailure(rejected, `rejected by the collector: ${this.#reason}`);
    }
    this.onSettled();
  }
}
