import { thrownText } from '@apix/contracts';
import { isPromiseLike } from '@apix/contracts/internal';
import type { ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** As the SDK has it, which is not loaded for a number. */
const FAILED: ExportResultCode.FAILED = 1;

type ExportAnswer = (result: ExportResult) => void;

interface Waiting {
  readonly spans: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * An exporter whose failures are reported: the first, and the next one after a success. Its errors and
 * second answers do not reach the SDK. An export without an answer in time has failed: its spans are
 * dropped.
 */
export class WatchedExporter implements SpanExporter {
  readonly #waiting = new Map<ExportAnswer, Waiting>();
  #hasFailed = false;
  #ended: Promise<void> | undefined;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly report: (problem: string) => void,
    /** Milliseconds, as the SDK's batches have it. */
    private readonly timeout: number,
  ) {}

  export(spans: ReadableSpan[], answer: ExportAnswer): void {
    const failed = (error: unknown): void =>
      this.#answered(answer, { code: FAILED, error: asError(error) });
    const late = (): void => failed(new Error(`no answer within ${this.timeout} ms`));
    const timer = setTimeout(late, this.timeout).unref();
    this.#waiting.set(answer, { spans: spans.length, timer });
    try {
      const done: unknown = this.exporter.export(spans, (result) => this.#answered(answer, result));
      // An exporter in JavaScript may be async by mistake, and its rejection would end the process.
      if (isPromiseLike(done)) done.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  /** Shuts the exporter down once, however often it is asked to. */
  shutdown(): Promise<void> {
    return (this.#ended ??= this.#shutDown());
  }

  /** Answers for an exporter that does not, as the SDK would hold the process up for it; how many spans are lost. */
  abandon(): number {
    let lost = 0;
    const error = new Error('no answer before the shutdown timeout');
    this.#hasFailed = true;
    const waiting = Array.from(this.#waiting);
    for (const [answer, { spans }] of waiting) {
      lost += spans;
      this.#answered(answer, { code: FAILED, error });
    }
    return lost;
  }

  async #shutDown(): Promise<void> {
    await this.exporter.shutdown();
  }

  #answered(answer: ExportAnswer, given: ExportResult | undefined): void {
    const result = given ?? { code: FAILED, error: new Error('it has answered without a result') };
    const waiting = this.#waiting.get(answer);
    if (waiting === undefined) return;
    this.#waiting.delete(answer);
    clearTimeout(waiting.timer);
    const { spans } = waiting;
    const isFailed = result.code === FAILED;
    if (isFailed && !this.#hasFailed) {
      const reason = result.error === undefined ? 'no reason given' : thrownText(result.error);
      this.report(
        `otel: ${spans} span(s) were not exported: ${reason}; further failures are not reported until one succeeds`,
      );
    }
    this.#hasFailed = isFailed;
    answer(result);
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(thrownText(thrown));
}
