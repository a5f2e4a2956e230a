import { type MetricReading, MetricSource } from '@apix/contracts';

const REASONS = ['malformed', 'headers', 'timeout'] as const;

/**
 * Why Node refused to parse a request: it is not HTTP (`malformed`), its headers are larger than Node
 * accepts (`headers`), or it was not complete in time (`timeout`).
 */
export type RefusalReason = (typeof REASONS)[number];

/** Counts the requests that Node's HTTP parser refuses: no handler receives them, and no event reports them. */
@MetricSource()
// Why: docs/decisions/0254
export class RefusedRequests implements MetricSource {
  readonly #counts: Record<RefusalReason, number> = { malformed: 0, headers: 0, timeout: 0 };

  /** Counts an error that a server emitted as `clientError`, unless it only reports a broken connection. */
  add(error: unknown): void {
    const reason = reasonOf(error);
    if (reason !== undefined) this.#counts[reason]++;
  }

  *metrics(): Iterable<MetricReading> {
    for (const reason of REASONS) {
      yield {
        name: 'apix.logx.http.refused',
        kind: 'counter',
        value: this.#counts[reason],
        unit: '{request}',
        description: 'Requests that the HTTP parser refused',
        attributes: { reason },
      };
    }
  }
}

/** By the codes of Node (nodejs.org/api/http.html, event 'clientError') and of llhttp. */
function reasonOf(error: unknown): RefusalReason | undefined {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') return undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'timeout';
  // An end of input is a caller who has disconnected in the middle of a request.
  return code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE' ? 'malformed' : undefined;
}
