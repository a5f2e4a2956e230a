import {
  type CallContext,
  type CallMetadata,
  type CallMethod,
  type CallPeer,
} from '@apix/contracts';
import { FORWARDED_KEY } from '@apix/contracts/internal';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { closedSignal } from './request.js';
import { HttpMetadata, requestPeer } from '@apix/calls/internal';

/** An HTTP request as the subject function sees it. */
export class HttpCall implements CallContext {
  readonly door = 'http';
  readonly metadata: CallMetadata;
  readonly forwarded: boolean;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

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
    return requestPeer(this.#request, this.forwarded);
  }

  get signal(): AbortSignal {
    return closedSignal(this.#response, 'close');
  }
}
