import { Code } from '@apix/contracts';
import { isAboutNoGrpc, isOwnWords } from './own-words.js';

/**
 * On a status, and so on the error that a client makes of it: whether the server made it. Set by
 * transports that know, as the in-process one of `@apix/grpc`.
 */
export const FROM_SERVER = Symbol.for('apix.calls.FromServer');

/** The part of grpc-js' Metadata that is read; an app with only HTTP does not have grpc-js. */
export interface ReceivedMetadata {
  get(key: string): readonly (string | Buffer)[];
  getMap(): object;
}

/** How a call of a grpc-js client ended. */
export interface EndedCall {
  readonly code: number;
  readonly details: string;
  readonly metadata: Pick<ReceivedMetadata, 'getMap'>;
  readonly [FROM_SERVER]?: boolean;
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

/** The one key that grpc-js adds to a status itself: to that of a call that it has retried. */
const OWN_KEY = 'grpc-previous-rpc-attempts';

/**
 * Whether a status came from the server, and not from grpc-js itself, whose texts are not meant for
 * callers. The mark {@link FROM_SERVER} decides, where the transport has set it. grpc-js does not say, but
 * its own statuses have one of a few codes and no metadata, while a server's come with metadata or after
 * response headers. Where a server sent headers first and no metadata with its status, the texts decide.
 *
 * Of a server that sent headers and then UNKNOWN, INTERNAL or UNAVAILABLE without metadata, the text is
 * taken for one of grpc-js unless the headers are known: an error of a client does not keep them.
 *
 * @param headersCame whether response headers arrived before the status. Default: not known.
 */
export function isServerStatus(ended: EndedCall, headersCame?: boolean): boolean {
  const { code, details, metadata, [FROM_SERVER]: known } = ended;
  if (typeof known === 'boolean') return known;
  // grpc-js ends a call like this over a message compressed with an encoding that was not announced.
  if (typeof details !== 'string') return false;
  const hasMetadata = Object.keys(metadata.getMap()).some((key) => key !== OWN_KEY);
  if (!OWN_CODES.has(code)) return hasMetadata || headersCame !== false;
  // Why: docs/decisions/0136
  if (hasMetadata) return !isAboutNoGrpc(details);
  if (headersCame === false || isOwnWords(code, details)) return false;
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

/** The text for a caller, by code, instead of one that may reveal internals. */
export function generalText(code: Code): string {
  return GENERAL_TEXTS.get(code) ?? 'the call failed';
}
