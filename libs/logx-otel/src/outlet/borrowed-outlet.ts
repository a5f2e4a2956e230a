import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { EmittedRecord, OtelLoggerProvider } from '../config/otel-config.js';
import type { Translation } from '../record/translation.js';
import type { Figures, Outlet } from './outlet.js';

type Logger = ReturnType<OtelLoggerProvider['getLogger']>;

/**
 * Gives records to a provider that belongs to somebody else. What becomes of them there is not
 * known: `sent` counts those that the provider was given.
 */
export class BorrowedOutlet implements Outlet {
  readonly trouble = undefined;
  #sent = 0;
  #failed = 0;
  #provider: OtelLoggerProvider | undefined;
  #logger: Logger | undefined;

  constructor(
    readonly target: string,
    /** Asked for each record: a global provider may be registered late. */
    private readonly providerNow: () => OtelLoggerProvider | undefined,
    private readonly scopeName: string,
    private readonly onError: (message: string, cause: unknown) => void,
  ) {}

  get figures(): Figures {
    return { sent: this.#sent, failed: this.#failed, queued: 0, oldest: undefined };
  }

  take(record: Translation): boolean {
    const provider = this.providerNow();
    if (provider === undefined) return false;
    try {
      if (provider !== this.#provider) {
        this.#logger = provider.getLogger(this.scopeName);
        this.#provider = provider;
      }
      this.#logger!.emit(emitted(record));
      this.#sent++;
    } catch (error) {
      this.#failed++;
      this.onError('the provider failed', error);
    }
    return true;
  }

  async flush(): Promise<void> {}

  async close(): Promise<number> {
    return 0;
  }
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
