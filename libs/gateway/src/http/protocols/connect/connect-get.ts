import type { IncomingMessage } from 'node:http';
import { headerList } from '@apix/contracts/internal';
import type { DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Level } from '@bufbuild/protobuf/wkt';
import { badRequest, quotedInput } from '../../../errors.js';
import { announcesBody, isOpenEnded, unsupported } from '../../../request/content-headers.js';
import type { CodecName, RpcContext } from '../protocol.js';
import { noBodyWith } from '../single-request.js';
import type { CacheRule } from './connect-unary.js';

/** Whether a method may be called by GET. */
export function isGettable({ idempotency, methodKind }: DescMethod): boolean {
  return methodKind === 'unary' && idempotency === Level.NO_SIDE_EFFECTS;
}

const BASE64 = /^([A-Za-z0-9+/_-]*)={0,2}$/;
const BROKEN_ESCAPE = /%(?![\dA-Fa-f]{2})/;

/** The parameters of a call by GET (connectrpc.com/docs/protocol, "Unary-Get-Request"). */
export class ConnectGetQuery {
  /** As it was sent: bytes that may not be text. */
  readonly #values = new Map<string, string>();
  readonly #twice = new Set<string>();

  constructor(
    private readonly req: IncomingMessage,
    query: string,
  ) {
    for (const part of query.split('&')) {
      const equals = part.indexOf('=');
      const name = bytesOf(equals === -1 ? part : part.slice(0, equals)).toString();
      if (this.#values.has(name)) this.#twice.add(name);
      this.#values.set(name, equals === -1 ? '' : part.slice(equals + 1));
    }
  }

  /** @throws HttpRefusal, 415, for an encoding that is not `json` or `proto`. */
  codec(): CodecName {
    const encoding = this.#text('encoding');
    if (encoding === 'json' || encoding === 'proto') return encoding;
    throw unsupported(`encoding ${quotedInput(encoding)}: use json or proto`);
  }

  get compression(): string {
    return this.#text('compression');
  }

  /**
   * The version of the protocol, as its header has it; undefined if the caller does not state it.
   *
   * @throws HttpRefusal for another one than `v1`.
   */
  get version(): string | undefined {
    if (!this.#values.has('connect')) return undefined;
    const stated = this.#text('connect');
    if (stated === 'v1') return '1';
    throw badRequest(
      `query parameter "connect" has the value ${quotedInput(stated)}: only v1 is supported`,
    );
  }

  /** @throws HttpRefusal for a message that is not there or cannot be read, and for a body. */
  message(): Buffer {
    // Of HTTP/2 it may be that the end alone is still to come; nothing is read of what comes instead.
    if (announcesBody(this.req) && !isOpenEnded(this.req)) throw noBodyWith('GET');
    const text = this.#values.get('message');
    if (text === undefined) throw badRequest('query parameter "message" is not set', 'message');
    const [twice] = this.#twice;
    if (twice !== undefined)
      throw badRequest(`query parameter ${quotedInput(twice)} is given twice`);
    if (BROKEN_ESCAPE.test(text))
      throw badRequest('query parameter "message" is not percent-encoded');
    const bytes = bytesOf(text);
    if (this.#text('base64') !== '1') return bytes;
    const base64 = bytes.toString('latin1');
    if (!isBase64(base64)) throw badRequest('query parameter "message" is not base64', 'message');
    return Buffer.from(base64, 'base64');
  }

  #text(name: string): string {
    return bytesOf(this.#values.get(name) ?? '').toString();
  }
}

/** Of either alphabet, padded or not; one digit alone would be lost. */
function isBase64(text: string): boolean {
  const [, digits] = BASE64.exec(text) ?? [];
  return digits !== undefined && digits.length % 4 !== 1;
}

function bytesOf(encoded: string): Buffer {
  const text = encoded
    .replaceAll('+', ' ')
    .replaceAll(/%([\dA-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(text, 'latin1');
}

/** Directives that let caches keep an answer for several callers. */
const SHARED = /^(?:public|s-maxage\b.*|private\b.*)$/i;

/**
 * What caches may do with an answer to a GET: nothing with one that has failed, nothing but ask again with one whose
 * server does not say, and what the server says with others. What came with credentials is not for shared caches,
 * whatever the server says, and every header that the server has got is one that the answer depends on.
 */
// Why: docs/decisions/0495
export function getCacheRule(
  req: IncomingMessage,
  { forwardHeaders }: RpcContext['options'],
): CacheRule {
  return (res, hasFailed) => {
    res.appendHeader('vary', [...forwardHeaders].filter((name) => !TRACES.has(name)).join(', '));
    if (hasFailed) {
      res.setHeader('cache-control', 'no-store');
      return;
    }
    const given = [res.getHeader('cache-control') ?? []].flat().map(String);
    if (given.length === 0) {
      res.setHeader('cache-control', 'private, no-cache');
      return;
    }
    if (!hasCredentials(req, forwardHeaders)) return;
    const directives = given.flatMap((value) => headerList(value)).filter((it) => !SHARED.test(it));
    res.setHeader('cache-control', ['private', ...directives].join(', '));
  };
}

/** What differs from request to request, and changes no answer. */
const TRACES = new Set(['traceparent', 'tracestate', 'baggage']);

/** A certificate counts too: it is part of the connection, so that caches do not see it. */
function hasCredentials(req: IncomingMessage, forwardHeaders: ReadonlySet<string>): boolean {
  const { authorization, cookie } = req.headers;
  const socket = req.socket as { readonly authorized?: boolean };
  const hasCookie = cookie !== undefined && forwardHeaders.has('cookie');
  return authorization !== undefined || hasCookie || socket.authorized === true;
}
