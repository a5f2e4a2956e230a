import type { LogRecordExporter } from '@opentelemetry/sdk-logs';

/** `ExportResultCode.FAILED` of @opentelemetry/core. */
export const FAILED = 1;

/** Loads an exporter in the background; batches wait until it is loaded. */
export class LazyExporter implements LogRecordExporter {
  readonly #loading: Promise<LogRecordExporter>;
  #loaded: LogRecordExporter | undefined;

  constructor(load: () => Promise<LogRecordExporter>) {
    this.#loading = load();
    this.#loading.then(
      (exporter) => (this.#loaded = exporter),
      () => {},
    );
  }

  export(...[records, done]: Parameters<LogRecordExporter['export']>): void {
    if (this.#loaded !== undefined) {
      this.#loaded.export(records, done);
      return;
    }
    void this.#exportLater(records, done);
  }

  async forceFlush(): Promise<void> {
    await (await this.#made())?.forceFlush?.();
  }

  async shutdown(): Promise<void> {
    await (await this.#made())?.shutdown();
  }

  async #exportLater(...[records, done]: Parameters<LogRecordExporter['export']>): Promise<void> {
    try {
      const exporter = await this.#loading;
      exporter.export(records, done);
    } catch (error) {
      done({ code: FAILED, error: error as Error });
    }
  }

  /** Undefined if the exporter could not be loaded. */
  #made(): Promise<LogRecordExporter | undefined> {
    return this.#loading.catch(() => undefined);
  }
}
