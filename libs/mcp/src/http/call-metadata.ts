import type { IncomingMessage } from 'node:http';
import { HttpMetadata, requestPeer } from '@apix/calls/internal';
import { authorityOf, FORWARDED_KEY } from '@apix/contracts/internal';
import {
  type CallContext,
  type CallMetadata,
  type CallMethod,
  type CallPeer,
  Code,
  StatusError,
} from '@apix/contracts';
import { Metadata } from '@grpc/grpc-js';

const FORWARDED = ['accept-language', 'traceparent', 'tracestate', 'baggage'];
const TEXT = /^[ -~]*$/;

/**
 * The metadata of the call that a request is for: its credentials, the headers to pass on, its id, and where it comes
 * from.
 *
 * @throws StatusError for credentials that cannot have been issued.
 */
export function callMetadata(
  req: IncomingMessage,
  requestId: string,
  forwardHeaders: readonly string[],
): Metadata {
  const metadata = new Metadata();
  const credentials = credentialsOf(req);
  if (credentials !== undefined) metadata.set('authorization', credentials);
  const given = new HttpMetadata(req.rawHeaders, req.headers);
  for (const name of [...FORWARDED, ...forwardHeaders]) {
    if (name === 'authorization') continue;
    for (const value of given.get(name)) {
      const text = value.replaceAll('\t', ' ');
      if (TEXT.test(text)) metadata.add(name, text);
    }
  }
  // The server must not take this end for its caller.
  metadata.set(FORWARDED_KEY, '1');
  metadata.set('x-request-id', requestId);
  const { remoteAddress = '' } = req.socket;
  if (remoteAddress !== '') metadata.set('x-forwarded-for', remoteAddress.replace(/^::ffff:/, ''));
  const host = authorityOf(req);
  if (TEXT.test(host)) metadata.set('x-forwarded-host', host);
  return metadata;
}

/**
 * The header `Authorization`; undefined if there is none.
 *
 * @throws StatusError for one that is given twice, or has characters beyond ASCII.
 */
export function credentialsOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const [authorization, ...more] = new HttpMetadata(rawHeaders, headers).get('authorization');
  if (authorization === undefined) return undefined;
  if (more.length > 0)
    throw new StatusError(Code.UNAUTHENTICATED, 'more than one authorization header');
  if (!TEXT.test(authorization))
    throw new StatusError(Code.UNAUTHENTICATED, 'malformed authorization header');
  return authorization;
}

/** Of proxies, which send a certificate of their own if any. */
const THROUGH_PROXY = [FORWARDED_KEY, 'forwarded', 'x-forwarded-for', 'via'];

/** The caller's end of the connection; without its certificate if a proxy says that it speaks for another caller. */
export function callerPeer(req: IncomingMessage): CallPeer {
  return requestPeer(
    req,
    THROUGH_PROXY.some((name) => req.headers[name] !== undefined),
  );
}

const LISTING: CallMethod = { fullName: '', service: '', name: 'tools/list', kind: 'unary' };

/** What is known of a caller before it makes a call. */
export class CallerContext implements CallContext {
  readonly door = 'grpc';
  readonly forwarded = true;
  readonly method = LISTING;
  readonly metadata: CallMetadata;

  constructor(
    metadata: Metadata,
    readonly peer: CallPeer,
    readonly signal: AbortSignal,
  ) {
    this.metadata = {
      get: (key) => metadata.get(key).filter((value) => typeof value === 'string'),
      keys: () => Object.keys(metadata.getMap()),
    };
  }
}
