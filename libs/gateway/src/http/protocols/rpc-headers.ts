import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metadata } from '@grpc/grpc-js';
import { rpcHeadersOf } from '../../metadata/response-headers.js';
import { type Compressor, compressorFor } from './coding.js';
import type { RpcContext } from './protocol.js';

/** Sets the headers that are metadata of the server. */
export function setRpcHeaders(
  res: ServerResponse,
  metadata: Metadata | undefined,
  prefix: '' | 'trailer-',
  plain: ReadonlySet<string>,
): void {
  for (const [name, values] of rpcHeadersOf(metadata, prefix, plain)) {
    if (values.length === 0) continue;
    // That of CORS must stay.
    if (name === 'vary') res.appendHeader(name, values);
    else res.setHeader(name, values);
  }
}

/** A header of a request; the first one if there are several. */
export function firstHeader(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return typeof value === 'object' ? value[0] : value;
}

/** What compresses the messages of an answer, by the header in which the caller lists codings; undefined: nothing. */
export function compressorOf(
  req: IncomingMessage,
  header: string,
  { options }: RpcContext,
): Compressor | undefined {
  return options.compress ? compressorFor(firstHeader(req, header)) : undefined;
}
