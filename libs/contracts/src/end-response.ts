import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type AnyResponse, leaveRequest } from './leave-request.js';

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
