import { Code } from '@apix/contracts';
import type { Metadata, StatusObject } from '@grpc/grpc-js';

/** Codes that grpc-js gives a call on its own account; any other one is the server's. */
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

/** How grpc-js begins what it says of its own, once a call has begun; some of it names addresses. */
const OWN_WORDS = new RegExp(
  `^(?:${[
    'Deadline exceeded(?:$| after )',
    'Cancelled (?:on client|by parent)',
    'Call cancelled$',
    'Connection dropped',
    'Stream refused by server$',
    'Bandwidth exhausted or memory limit exceeded$',
    'Protocol not secure enough$',
    'Received RST_STREAM with code ',
    'Received HTTP status code ',
    'Received message (?:larger than max|that decompresses) ',
    'Attempted to send ',
    'No (?:status information|message) received$',
    'Too many responses received$',
    'Re(?:quest|sponse) message (?:serialization failure|parsing error): ',
    'Failed to ',
    'Write (?:error:|failed with error) ',
    // Of Node: `read ECONNRESET`, `write EPIPE`.
    '(?:read|write|connect|getaddrinfo) E[A-Z]+',
    'the in-process server ',
  ].join('|')})`,
);

/**
 * Whether a status came from the server, and not from the client library: that one comes without
 * anything that was on the wire, or with a code and words of its own. grpc-js does not tell, so
 * a server that uses the very same words for one of those codes is taken for it: its message is
 * then replaced by a general one.
 *
 * @param headers what the server sent before its messages; undefined for nothing.
 */
export function isAnswered(
  headers: Metadata | undefined,
  { code, details, metadata }: Pick<StatusObject, 'code' | 'details' | 'metadata'>,
  transport: 'network' | 'in-process',
): boolean {
  const isOwn = OWN_CODES.has(code) && OWN_WORDS.test(details);
  if (transport === 'in-process') return !isOwn;
  if (Object.keys(metadata.getMap()).length > 0) return true;
  return headers !== undefined && !isOwn;
}
