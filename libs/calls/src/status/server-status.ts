import { Code } from '@apix/contracts';

/** What is read of the Metadata of grpc-js, which an app with HTTP alone does not have. */
export interface ReceivedMetadata {
  get(key: string): readonly (string | Buffer)[];
  getMap(): object;
}

/** How a call of a grpc-js client ended. */
export interface EndedCall {
  readonly code: number;
  readonly details: string;
  readonly metadata: Pick<ReceivedMetadata, 'getMap'>;
}

/** Codes that grpc-js gives a call by itself; it takes care that any other one is a server's. */
const OWN_CODES: ReadonlySet<number> = new Set([
  Code.CANCELLED,
  Code.UNKNOWN,
  Code.DEADLINE_EXCEEDED,
  Code.PERMISSION_DENIED,
  Code.RESOURCE_EXHAUSTED,
  Code.UNIMPLEMENTED,
  Code.INTERNAL,
  Code.UNAVAILABLE,
  Code.UNAUTHENTICATED,
]);

/** Those of them that come with any text: of Node, resolvers, load balancers, credentials. */
const ANY_WORDS: ReadonlySet<number> = new Set([Code.UNKNOWN, Code.INTERNAL, Code.UNAVAILABLE]);

/** What grpc-js says of an answer that is not one of gRPC; the metadata is that of the answer. */
const NO_GRPC = /^(?:Received HTTP status code \d|No (?:status information|message) received$)/;

/** How the texts of grpc-js begin, as of 1.14; some of them contain addresses. */
const OWN_WORDS = new RegExp(
  `^(?:${[
    'Deadline exceeded(?:$| after )',
    'Cancelled (?:on client|by parent)',
    'Call cancelled$',
    'Discarded in favor of other hedged attempt$',
    'Channel closed before call started$',
    'Connection dropped',
    'No connection established',
    'No addresses resolved',
    '(?:weighted_)?round_robin: ',
    'Picked subchannel ',
    'Subchannel not ready',
    'Name resolution failed ',
    'Unrecognized scheme ',
    'Parsing service config ',
    'All load balancer options ',
    'Invalid status from control plane: ',
    'Getting metadata from plugin failed ',
    '"authorization" metadata cannot ',
    'Stream refused by server$',
    'Bandwidth exhausted or memory limit exceeded$',
    'Protocol not secure enough$',
    'Received RST_STREAM with code ',
    'Received (?:message (?:larger than max|that decompresses|compressed)|compressed message) ',
    'Compression method not supported',
    'Attempted to send ',
    'Too many responses received$',
    'Re(?:quest|sponse) message (?:serialization failure|parsing error): ',
    'Failed to ',
    'Write (?:error:|failed with error) ',
    // Of Node: `read ECONNRESET`, `write EPIPE`.
    '(?:read|write|connect|getaddrinfo|queryA+) E[A-Z]+',
    // Of @apix/grpc.
    'the in-process server ',
  ].join('|')})`,
);

/**
 * Whether a status came from the server, and not from grpc-js itself, whose texts are not meant for
 * callers. grpc-js does not say. Its own statuses have one of a few codes and no metadata, while a
 * server's come with metadata or after response headers. Where that does not decide, the texts do.
 *
 * A server that uses the same words with the same code is taken for grpc-js. So is one that sent
 * headers and then UNKNOWN, INTERNAL or UNAVAILABLE without metadata, where nobody knows of the
 * headers: an error of a client does not keep them.
 *
 * @param headersCame whether response headers arrived before the status. Default: not known.
 */
export function isServerStatus(
  { code, details, metadata }: EndedCall,
  headersCame?: boolean,
): boolean {
  const hasMetadata = Object.keys(metadata.getMap()).length > 0;
  if (!OWN_CODES.has(code)) return hasMetadata || headersCame !== false;
  // Why: docs/decisions/0136
  if (NO_GRPC.test(details)) return false;
  if (hasMetadata) return true;
  if (headersCame === false || OWN_WORDS.test(details)) return false;
  return headersCame === true || !ANY_WORDS.has(code);
}

const GENERAL_TEXTS: ReadonlyMap<Code, string> = new Map([
  [Code.UNAVAILABLE, 'the service is unavailable'],
  [Code.DEADLINE_EXCEEDED, 'deadline exceeded'],
  [Code.CANCELLED, 'the call was cancelled'],
  [Code.UNKNOWN, 'internal error'],
  [Code.INTERNAL, 'internal error'],
  [Code.DATA_LOSS, 'internal error'],
]);

/** What a caller is told of a code instead of a text that may be about the inside. */
export function generalText(code: Code): string {
  return GENERAL_TEXTS.get(code) ?? 'the call failed';
}
