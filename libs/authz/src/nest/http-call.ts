import { peerCertificate } from '@apix/calls';
import {
  type CallContext,
  type CallMetadata,
  type CallMethod,
  type CallPeer,
  FORWARDED_KEY,
  headerValues,
} from '@apix/contracts';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';

/** An HTTP request as the subject function sees it. */
export class HttpCall implements CallContext {
  readonly door = 'http';
  readonly metadata: CallMetadata;
  readonly forwarded: boolean;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #signal: AbortSignal | undefined;

  /** @param headers of the request, as hooks of Fastify may have replaced them. */
  constructor(
    readonly method: CallMethod,
    request: IncomingMessage,
    response: ServerResponse,
    headers: IncomingHttpHeaders = request.headers,
  ) {
    this.#request = request;
    this.#response = response;
    this.metadata = new HttpMetadata(request.rawHeaders, headers);
    this.forwarded = headers[FORWARDED_KEY] !== undefined;
  }

  get peer(): CallPeer {
    const { socket } = this.#request;
    const address = socket.remoteAddress === undefined ? '' : addressOf(socket);
    const verified = !this.forwarded && socket instanceof TLSSocket && isVerified(socket);
    const certificate = verified ? socket.getPeerCertificate() : undefined;
    // Node gives an empty object where the client sent no certificate.
    return certificate?.fingerprint256 === undefined
      ? { address }
      : { address, certificate: peerCertificate(certificate) };
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const controller = new AbortController();
      if (this.#response.destroyed) controller.abort();
      else this.#response.once('close', () => controller.abort());
      this.#signal = controller.signal;
    }
    return this.#signal;
  }
}

/** `authorized` stays true when a later handshake brought a certificate that was not verified. */
function isVerified({ authorized, authorizationError }: TLSSocket): boolean {
  // Null on Node 20, for all that its types say, and undefined on others.
  return authorized && !(authorizationError as Error | null | undefined);
}

function addressOf(socket: IncomingMessage['socket']): string {
  return `${socket.remoteAddress}:${socket.remotePort}`;
}

/**
 * Headers as the app's middleware left them, with every value of its own: a header sent twice shows
 * as two. From the raw list, which HTTP/1, HTTP/2 and requests injected by tests all have.
 */
class HttpMetadata implements CallMetadata {
  readonly #raw: readonly string[];
  readonly #headers: IncomingHttpHeaders;

  constructor(raw: readonly string[], headers: IncomingHttpHeaders) {
    this.#raw = raw;
    this.#headers = headers;
  }

  get(key: string): readonly string[] {
    if (!Object.hasOwn(this.#headers, key)) return [];
    // Why: docs/decisions/0021
    const received: string[] = [];
    for (let i = 0; i + 1 < this.#raw.length; i += 2) {
      if (this.#raw[i]!.toLowerCase() === key) received.push(this.#raw[i + 1]!);
    }
    return headerValues(key, this.#headers[key], received);
  }

  keys(): readonly string[] {
    return Object.keys(this.#headers).filter((key) => this.#headers[key] !== undefined);
  }
}
