import { thrownText } from '@apix/contracts';
import type { ShippingContext } from '@apix/logx/shipping';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { EmittedRecord, OtelLoggerProvider } from '../config/otel-config.js';
import type { Translation } from '../record/translation.js';
import type { Outlet } from './outlet.js';

type OtelLogger = ReturnType<OtelLoggerProvider['getLogger']>;

/**
 * Gives records to a provider that belongs to somebody else. What becomes of them there is not
 * known: `sent` counts those that the provider was given.
 */
export class BorrowedOutlet implements Outlet {
  readonly since = undefined;
  readonly trouble = undefined;
  #provider: OtelLoggerProvider | undefined;
  #logger: OtelLogger | undefined;

  constructor(
    /** Asked for each record: a global provider may be registered late. */
    private readonly providerNow: () => OtelLoggerProvider | undefined,
    private readonly scopeName: string,
    private readonly context: ShippingContext,
  ) {}

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
    } catch (error) {
      account.failed++;
      report(`the provider failed: ${thrownText(error)}`, error);
    }
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {}

  onIdle(): void {}
}

/** Always with a context of its own: the active one may be that of whoever flushes a queue. */
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
