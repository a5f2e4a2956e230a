import type { CallContext, CallMetadata, CallPeer } from '@apix/contracts';
import { FORWARDED_KEY } from '@apix/contracts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';

/** An HTTP request as the subject function sees it. */
export class HttpCall implements CallContext {
  readonly door = 'http';
  readonly metadata: CallMetadata;
  readonly forwarded: boolean;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(
    readonly method: CallContext['method'],
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.#request = request;
    this.#response = response;
    this.metadata = new HttpHeaders(request);
    this.forwarded = request.headers[FORWARDED_KEY] !== undefined;
  }

  get peer(): CallPeer {
    const { socket } = this.#request;
    const address = `${socket.remoteAddress ?? ''}:${socket.remotePort ?? ''}`;
    return { address: address === ':' ? '' : address };
  }

  get signal(): AbortSignal {
    const controller = new AbortController();
    this.#response.once('close', () => controller.abort());
    return controller.signal;
  }
}
