import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import { endWithHeaders } from './patches/end-with-headers.js';

type BodyPart = string | Uint8Array;

/** Statuses that have no body (RFC 9110 §6.4.1). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

/**
 * Ends a response of HTTP/1 or HTTP/2 with the last part of its body, if there is one. HEAD and statuses that have no
 * body get none. An HTTP/2 request that is incomplete is left: see {@link leaveRequest}.
 *
 * Node's `end` must not be called with an empty part: after other writes of the same turn, HTTP/2 would
 * send freed memory in place of them.
 */
// Why: docs/decisions/0182
export function endResponse(res: AnyResponse, last: BodyPart = ''): void {
  leaveRequest(res);
  if (last.length === 0 || !mayHaveBody(res)) res.end();
  else res.end(last);
}

/**
 * Sends a complete response. Status and headers are set and not written before the end, so that all of it leaves
 * together; an answer that comes before the end of its request needs that.
 */
// Why: docs/decisions/0182
export function sendResponse(
  res: AnyResponse,
  status: number,
  headers: OutgoingHttpHeaders = {},
  body?: BodyPart,
): void {
  res.statusCode = status;
  for (const [name, value = ''] of Object.entries(headers)) res.setHeader(name, value);
  endResponse(res, body);
}

/**
 * Writes a part of a response's body; an empty one sends nothing but the headers. The same as Node's `write`
 * but for what {@link endResponse} says of empty parts.
 *
 * @returns whether there is room for more; if not, `drain` is emitted when there is.
 */
export function writePart(res: AnyResponse, part: BodyPart): boolean {
  // Node's compatible response of HTTP/2 has what is called here, which its types do not say.
  const written = res as ServerResponse;
  if (part.length > 0) return written.write(part);
  written.flushHeaders();
  return true;
}

function mayHaveBody({ req, statusCode }: AnyResponse): boolean {
  const { method } = (req as typeof req | undefined) ?? {};
  return method !== 'HEAD' && !WITHOUT_BODY.has(statusCode);
}

/** A response of HTTP/1, or Node's compatible one of HTTP/2. */
export type AnyResponse = ServerResponse | Http2ServerResponse;

/** How long a client may take to see the answer to an incomplete request, in milliseconds. */
export const LINGER_MS = 2_000;

/** How much of the rest of a request is read meanwhile, and dropped, in bytes. */
export const LINGER_BYTES = 4 * 1024 * 1024;

/** Reads and drops the rest of a request, or of a connection, but not more than 4 MiB of it. */
export function dropRest(req: Readable): void {
  let rest = LINGER_BYTES;
  const drop = (chunk: Buffer): void => {
    rest -= chunk.length;
    if (rest <= 0) req.off('data', drop).pause();
  };
  req.on('data', drop);
  req.resume();
}

/**
 * Call when an answer is complete: if its request is one of HTTP/2 that is not, no more of it is read than
 * {@link dropRest} does. A client that has not ended its stream 2 s after the answer has left gets a reset
 * with NO_ERROR (RFC 9113 §8.1). Requests of HTTP/1 are left to Node.
 */
// Why: docs/decisions/0182
export function leaveRequest(res: AnyResponse): void {
  const { req, stream } = res as Partial<Http2ServerResponse>;
  // A request that was made up, for a test of an app, may have none of this.
  if (req === undefined || req.httpVersionMajor < 2 || stream === undefined) return;
  if (stream.endAfterHeaders || req.complete) return;
  endWithHeaders(stream);
  dropRest(req);
  if (stream.writableFinished) resetLater(req, stream);
  else stream.once('finish', () => resetLater(req, stream));
}

function resetLater(req: Http2ServerRequest, stream: ServerHttp2Stream): void {
  const timer = setTimeout(() => {
    // Its end may be waiting behind other bytes of the connection.
    if (!stream.closed && stream.state.localClose !== 1) {
      resetLater(req, stream);
      return;
    }
    stream.close();
    // A stream that has been closed ends with the last byte that had come before.
    req.resume();
  }, LINGER_MS);
  stream.once('close', () => clearTimeout(timer));
}
