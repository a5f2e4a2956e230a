import type { HttpReply } from '../wire/http-client.js';
import { retryAfterOf } from '../wire/retry-after.js';

/** The result of a bulk request for its events. */
export type Verdict =
  | {
      readonly kind: 'taken';
      /** The reason for each refused event, such as `HTTP 400, mapper_parsing_exception`. */
      readonly refused: readonly string[];
      /** Positions of the events that should be sent again. */
      readonly again: readonly number[];
      /** Why some of these wait until the credentials are corrected; undefined if none does. */
      readonly denial?: string;
    }
  /** The request as a whole waits until the credentials are corrected. */
  | { readonly kind: 'denied'; readonly reason: string }
  /** The request is too large; its halves may not be. */
  | { readonly kind: 'too-large' }
  /** The request as a whole was refused, and would be refused again. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** As far as is known, no node has accepted it. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs: number };

/**
 * The start of a reply to a request whose events were all accepted. Such a reply is not parsed, because it
 * is about as long as the request.
 */
const NO_ERRORS =
  /^\s*\{\s*(?:"(?:took|ingest_took)"\s*:\s*\d+\s*,\s*)*"errors"\s*:\s*false\s*[,}]/;
const HEAD_BYTES = 128;
/** The status of an item if the node was busy; the event itself is not wrong. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);
/** The status if the credentials were refused; the event itself is not wrong. */
const DENIED: ReadonlySet<number> = new Set([401, 403]);

/**
 * @param count how many events the request had
 * @param canWait whether events can wait until the credentials are corrected; otherwise they are refused
 */
export function readReply(reply: HttpReply, count: number, now: number, canWait: boolean): Verdict {
  const { status, body } = reply;
  if (status === 413) return { kind: 'too-large' };
  if (status >= 500) {
    return {
      kind: 'unavailable',
      reason: reasonOf(reply),
      retryAfterMs: retryAfterOf(reply.headers['retry-after'], now),
    };
  }
  if (canWait && DENIED.has(status)) return { kind: 'denied', reason: reasonOf(reply) };
  if (status !== 200) return { kind: 'refused', reason: reasonOf(reply) };
  if (NO_ERRORS.test(body.toString('latin1', 0, HEAD_BYTES))) {
    return { kind: 'taken', refused: [], again: [] };
  }
  const items = itemsOf(body);
  if (items?.length !== count) {
    const reason = `not a reply to a bulk request: ${excerpt(body)}`;
    return { kind: 'unavailable', reason, retryAfterMs: 0 };
  }
  const refused: string[] = [];
  const again: number[] = [];
  let denial: string | undefined;
  items.forEach((item, position) => {
    // Why: docs/decisions/0071
    if (BUSY.has(item.status)) again.push(position);
    else if (canWait && DENIED.has(item.status)) {
      again.push(position);
      denial ??= textOf(item);
    } else if (item.status >= 300) refused.push(textOf(item));
  });
  return { kind: 'taken', refused, again, ...(denial !== undefined && { denial }) };
}

interface ReplyItem {
  readonly status: number;
  readonly error?: unknown;
}

function textOf(item: ReplyItem): string {
  return `HTTP ${item.status}, ${errorText(item)}`;
}

/** The results of the items; undefined for a reply that is not of a bulk request. */
function itemsOf(body: Buffer): readonly ReplyItem[] | undefined {
  const items = member(parsed(body), 'items');
  if (!Array.isArray(items)) return undefined;
  const results = items.map((item: unknown) => member(item, 'index') ?? member(item, 'create'));
  return results.every((result) => typeof member(result, 'status') === 'number')
    ? (results as ReplyItem[])
    : undefined;
}

/** The reason given by a reply without items. */
function reasonOf({ status, body }: HttpReply): string {
  const answer = parsed(body);
  const text = member(answer, 'error') === undefined ? excerpt(body) : errorText(answer);
  return text === '' ? `HTTP ${status}` : `HTTP ${status}, ${text}`;
}

/** Elasticsearch says `{ error: { type, reason } }`, and sometimes `{ error: text }`. */
function errorText(answer: unknown): string {
  const error = member(answer, 'error');
  if (typeof error === 'string') return error;
  const cause = member(error, 'caused_by');
  return [member(error, 'type'), member(error, 'reason'), member(cause, 'reason')]
    .filter((part) => typeof part === 'string')
    .join(': ');
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function excerpt(body: Buffer): string {
  return body.toString('utf8', 0, 200).trim();
}
