import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Batch } from '../bulk/batch.js';
import { readReply, type Verdict } from '../bulk/read-reply.js';
import type { Settings } from '../config/resolve-config.js';
import type { HttpClient } from '../wire/http-client.js';

const compress = promisify(gzip);

/** Sends one request to one node, and says what became of it. Never throws. */
export class BulkClient {
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    private readonly settings: Settings,
    private readonly http: HttpClient,
  ) {
    const { authorization, gzip } = settings;
    this.#headers = {
      'content-type': 'application/x-ndjson',
      accept: 'application/json',
      ...(authorization !== undefined && { authorization }),
      ...(gzip && { 'content-encoding': 'gzip' }),
    };
  }

  async send(url: URL, { body, count }: Batch, signal: AbortSignal): Promise<Verdict> {
    const { clock, timeoutMs, gzip } = this.settings;
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal.reason);
    const cancel = clock.after(timeoutMs, () =>
      controller.abort(new Error(`no reply within ${timeoutMs} ms`)),
    );
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    try {
      const bytes = gzip ? await compress(body, { level: constants.Z_BEST_SPEED }) : body;
      controller.signal.throwIfAborted();
      const request = { url, headers: this.#headers, body: bytes, signal: controller.signal };
      const reply = await Promise.race([this.http.post(request), abortionOf(controller.signal)]);
      return readReply(reply, count, clock.now());
    } catch (error) {
      const cause: unknown = controller.signal.aborted ? controller.signal.reason : error;
      return { kind: 'unavailable', reason: textOf(cause), retryAfterMs: 0 };
    } finally {
      cancel();
      signal.removeEventListener('abort', abort);
    }
  }
}

/** Rejects when the signal aborts: not every client looks at it. */
async function abortionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

/** Node's error of several addresses that were tried has a code and no message. */
function textOf(error: unknown): string {
  const { message, code } = error as { readonly message?: unknown; readonly code?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  return typeof code === 'string' ? code : String(error);
}
