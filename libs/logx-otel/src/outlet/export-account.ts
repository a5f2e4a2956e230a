import { thrownText } from '@apix/contracts';
import type { ShippingContext } from '@apix/logx/shipping';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import { FAILED } from './lazy-exporter.js';
import type { Rejection } from './inside-exporter.js';

type Done = Parameters<LogRecordExporter['export']>[1];
type Result = Parameters<Done>[0];

/** Wraps an exporter and counts the result of every record in the counters of the sink. */
export class ExportAccount implements LogRecordExporter {
  /** Number of records that it was given. */
  handed = 0;
  /** Number of records that were accepted, refused or given up. */
  settled = 0;
  /** Why the last export failed; undefined if it succeeded. */
  trouble: string | undefined;
  /** Records that the collector rejected in the response that is being read. */
  #rejected = 0;
  #reason = '';

  constructor(
    private readonly inner: LogRecordExporter,
    private readonly context: ShippingContext,
    private readonly onSettled: () => void,
  ) {}

  /** Called directly before the export that it belongs to is reported as a success. */
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
    const { account, report } = this.context;
    this.settled += count;
    if ((code as number) === FAILED) {
      account.settle(0, count);
      this.trouble = error === undefined ? 'the export failed' : thrownText(error);
      report(`${count} of ${count} events not accepted: ${this.trouble}`, error);
    } else {
      account.settle(count - rejected, rejected);
      this.trouble = undefined;
      if (rejected > 0) report(`${rejected} of ${count} events refused: ${this.#reason}`);
    }
    this.onSettled();
  }
}
