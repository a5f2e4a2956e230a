import { thrownText } from '@apix/contracts';
import { orAborted } from '@apix/contracts/internal';
import type { LogEvent } from '@apix/logx/core';
import type { ShippingContext } from '@apix/logx/shipping';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { EmittedRecord, OtelLoggerProvider } from '../config/otel-config.js';
import { translateEvent } from '../record/event-translator.js';
import { isFatal } from '../record/severity.js';
import type { Translation } from '../record/translation.js';
import type { Outlet } from './outlet.js';

type OtelLogger = ReturnType<OtelLoggerProvider['getLogger']>;

/**
 * Passes records to a provider that belongs to the app. Whether it sends them is not known: `sent` counts
 * the records that were passed to it. The provider is flushed only after a fatal record.
 */
export class BorrowedOutlet implements Outlet {
  readonly since = undefined;
  readonly trouble = undefined;
  #provider: OtelLoggerProvider | undefined;
  #logger: OtelLogger | undefined;
  /** The provider that got a fatal record and has not been flushed since. */
  #owing: OtelLoggerProvider | undefined;

  constructor(
    /** Called for each record, because a global provider may be registered later. */
    private readonly providerNow: () => OtelLoggerProvider | undefined,
    private readonly scopeName: string,
    private readonly staticAttributes: Readonly<Record<string, string>>,
    private readonly context: ShippingContext,
  ) {}

  emit(event: LogEvent): void {
    this.take(translateEvent(event, this.staticAttributes));
  }

  take(record: Translation): void {
    const { account, report } = this.context;
    const provider = this.providerNow();
    if (provider === undefined) {
      account.drop(1, 'unready');
      return;
    }
    try {
      if (provider !== this.#provider) {
        this.#logger = provider.getLogger(this.scopeName);
        this.#provider = provider;
      }
      this.#logger!.emit(emitted(record));
      account.sent++;
      if (isFatal(record)) this.#owing = provider;
    } catch (error) {
      account.failed++;
      report(`the provider failed: ${thrownText(error)}`, error);
    }
  }

  /** The process ends after a fatal record, and the records that the provider still holds would be lost. */
  // Why: docs/decisions/0246
  async flush(signal: AbortSignal): Promise<void> {
    const provider = this.#owing;
    this.#owing = undefined;
    if (typeof provider?.forceFlush !== 'function') return;
    try {
      await orAborted(Promise.resolve(provider.forceFlush()), signal);
    } catch (error) {
      if (signal.aborted) return;
      this.context.report(`the provider could not be flushed: ${thrownText(error)}`, error);
    }
  }

  close(signal: AbortSignal): Promise<void> {
    return this.flush(signal);
  }

  onIdle(): void {}
}

/** Sets the context explicitly: the active context may be that of code that flushes a queue. */
function emitted({ time, spanContext, ...rest }: Translation): EmittedRecord {
  const { severityNumber, severityText, body, attributes } = rest;
  return {
    ...(time && { timestamp: time, observedTimestamp: time }),
    ...(severityNumber !== undefined && { severityNumber }),
    ...(severityText !== undefined && { severityText }),
    ...(body !== undefined && { body }),
    attributes,
    context:
      spanContext === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContext),
  };
}
