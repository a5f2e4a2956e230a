import type { ServerHttp2Stream } from 'node:http2';

type Respond = ServerHttp2Stream['respond'];

/**
 * Makes the end of an answer leave with its headers, as far as it fits, and not in a later turn of the event
 * loop: Node's compatible response would first ask for trailers. `respond` is replaced on this one stream;
 * trailers are not sent.
 */
export function endWithHeaders(stream: ServerHttp2Stream): void {
  if (!stream.headersSent) stream.respond = respondWithoutTrailers;
}

const respondWithoutTrailers: Respond = function (this: ServerHttp2Stream, headers, options) {
  const { respond } = Object.getPrototypeOf(this) as { readonly respond: Respond };
  respond.call(this, headers, { ...options, waitForTrailers: false });
};
