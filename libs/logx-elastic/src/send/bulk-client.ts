import { promisify } from 'node:util';
import { thrownText } from '@apix/contracts';
import { linkAbort, orAborted } from '@apix/contracts/internal';
import type { Batch } from '../bulk/batch.js';
import { readReply, type Verdict } from '../bulk/read-reply.js';
import type { Settings } from '../config/resolve-config.js';
import type { HttpClient } from '../wire/http-client.js';

/** Sends one request to one node, and returns its result. Never throws. */
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
    const { clock, timeoutMs, gzip, spool } = this.settings;
    const linked = linkAbort(signal);
    const cancel = clock.after(timeoutMs, () =>
      linked.abort(new Error(`no reply within ${timeoutMs} ms`)),
    );
    try {
      const bytes = gzip ? await compressed(body) : body;
      linked.signal.throwIfAborted();
      const request = { url, headers: this.#headers, body: bytes, signal: linked.signal };
      const reply = await orAborted(this.http.post(request), linked.signal);
      return readReply(reply, count, clock.now(), spool !== undefined);
    } catch (error) {
      const cause: unknown = linked.signal.aborted ? linked.signal.reason : error;
      return { kind: 'unavailable', reason: thrownText(cause), retryAfterMs: 0 };
    } finally {
      cancel();
      linked.dispose();
    }
  }
}

function compressed(body: Batch['body']): Promise<Uint8Array> {
  const { constants, gzip } = process.getBuiltinModule('node:zlib');
  return promisify(gzip)(body, { level: constants.Z_BEST_SPEED });
}
