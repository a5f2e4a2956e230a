import type { ServerResponse } from 'node:http';
import { httpStatusOf } from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';
import { send } from '../../send.js';
import type { Compressor } from '../coding.js';
import type { RpcAnswer, RpcContext, RpcOutcome } from '../protocol.js';
import { setRpcHeaders } from '../rpc-headers.js';
import { connectError } from './error-json.js';

const NOTHING = new Uint8Array();

/** How an answer may be kept by caches. */
export type CacheRule = (res: ServerResponse, hasFailed: boolean) => void;

/** The answer to a call with one answer: its message is the body, its status that of HTTP. */
export class ConnectUnaryAnswer implements RpcAnswer {
  #headers: Metadata | undefined;
  #bytes: Uint8Array = NOTHING;
  #isCompressed = false;

  constructor(
    private readonly res: ServerResponse,
    private readonly contentType: string,
    readonly compressor: Compressor | undefined,
    private readonly context: RpcContext,
    private readonly cache: CacheRule | undefined,
  ) {}

  begin(headers: Metadata | undefined): void {
    this.#headers = headers;
  }

  message(bytes: Uint8Array, isCompressed: boolean): boolean {
    this.#bytes = bytes;
    this.#isCompressed = isCompressed;
    return true;
  }

  end({ error, headers = this.#headers, trailers }: RpcOutcome): void {
    const { res, context } = this;
    const { responseHeaders, challenge, compress } = context.options;
    setRpcHeaders(res, headers, '', responseHeaders);
    setRpcHeaders(res, trailers, 'trailer-', responseHeaders);
    this.cache?.(res, error !== undefined);
    // Whatever its size is: a cache must not give the answer to one coding for another.
    if (compress) res.appendHeader('vary', 'accept-encoding');
    if (error === undefined) {
      if (this.#isCompressed) res.setHeader('content-encoding', this.compressor?.name ?? '');
      send(res, 200, { contentType: this.contentType, bytes: this.#bytes });
      return;
    }
    const status = httpStatusOf(error.code);
    if (status === 401 && !res.hasHeader('www-authenticate')) {
      res.setHeader('www-authenticate', challenge);
    }
    const bytes = Buffer.from(JSON.stringify(connectError(error, context)));
    send(res, status, { contentType: 'application/json', bytes });
  }
}
