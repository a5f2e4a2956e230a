import { Code } from '@apix/contracts';

/**
 * The text of grpc-js for an answer that is not gRPC, with whatever code and metadata that answer had: only
 * the text distinguishes it from a status of a server.
 */
const NO_GRPC = /^(?:Received HTTP status code \d|No (?:status information|message) received$)/;

/** Its texts for codes that it does not choose itself. */
const ANY_CODE = /^(?:Getting metadata from plugin failed with error: |Failed to route call to )/;

/** Of Node, whose texts grpc-js passes on: `read ECONNRESET`. */
const OF_NODE = '(?:read|write) E[A-Z]+';

/**
 * The texts of grpc-js 1.14 by code: only those that can come once response headers came, for the
 * codes that come with any text before.
 */
const BY_CODE: ReadonlyMap<number, RegExp> = new Map([
  [
    Code.CANCELLED,
    /^(?:Cancelled on client|Cancelled by parent call|Call cancelled|Discarded in favor of other hedged attempt)$/,
  ],
  [Code.DEADLINE_EXCEEDED, /^Deadline exceeded(?: after -?\d+\.\d{3}s(?:,|$)|$)/],
  [Code.PERMISSION_DENIED, /^Protocol not secure enough$/],
  [
    Code.RESOURCE_EXHAUSTED,
    /^(?:Bandwidth exhausted or memory limit exceeded$|Received message larger than max \(|(?:Received message that decompresses to|Attempted to send message with) a size larger than \d)/,
  ],
  [Code.UNIMPLEMENTED, /^Too many responses received$/],
  [
    Code.INTERNAL,
    /^(?:Received RST_STREAM with code \d|Failed to decompress |Write error: |Re(?:quest|sponse) message (?:serialization failure|parsing error): )/,
  ],
  [
    Code.UNAVAILABLE,
    new RegExp(
      `^(?:Connection dropped$|Stream refused by server$|Write error: |Write failed with error |${OF_NODE})`,
    ),
  ],
]);

/**
 * Whether a text is one of grpc-js' own. For cases in which nothing else distinguishes it: grpc-js hands a
 * status out as code, text and metadata, and drops whether trailers came, the stream's reset code and the
 * progress of the call on the way. A server that uses the very same text is taken for grpc-js.
 */
export function isOwnWords(code: number, details: string): boolean {
  return (
    NO_GRPC.test(details) || ANY_CODE.test(details) || BY_CODE.get(code)?.test(details) === true
  );
}

/** Whether a text is about an answer that is not one of gRPC. */
export function isAboutNoGrpc(details: string): boolean {
  return NO_GRPC.test(details);
}
