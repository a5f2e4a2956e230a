import { peerCertificate } from '@apix/calls';
import {
  type CallContext,
  type CallMetadata,
  type CallMethod,
  type CallPeer,
  FORWARDED_KEY,
} from '@apix/contracts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';

/** An HTTP request as the subject function sees it. */
export class HttpCall implements CallContext {
  readonly door = 'http';
  readonly metadata: CallMetadata;
  readonly forwarded: boolean;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor(
    readonly method: CallMethod,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.#request = request;
    this.#response = response;
    this.metadata = new HttpMetadata(request);
    this.forwarded = request.headers[FORWARDED_KEY] !== undefined;
  }

  get peer(): CallPeer {
    const { socket } = this.#request;
    const address = socket.remoteAddress === undefined ? '' : addressOf(socket);
    const verified = !this.forwarded && socket instanceof TLSSocket && socket.authorized;
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

function addressOf(socket: IncomingMessage['socket']): string {
  return `${socket.remoteAddress}:${socket.remotePort}`;
}

/**
 * Headers with every value of its own: a header sent twice shows as two. From the raw list, which
 * HTTP/1, HTTP/2 and requests injected by tests all have.
 */
class HttpMetadata implements CallMetadata {
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  get(key: string): readonly string[] {
    // Why: docs/decisions/0021
    const { rawHeaders } = this.#request;
    const values: string[] = [];
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      if (rawHeaders[i]!.toLowerCase() === key) values.push(rawHeaders[i + 1]!);
    }
    return values;
  }

  keys(): readonly string[] {
    return Object.keys(this.#request.headers);
  }
}
