import { Code, type StatusError } from '@apix/contracts';
import { statusOf } from '@apix/calls/grpc';
import type { Metadata } from '@grpc/grpc-js';
import { rpcTrailersOf } from '../../../metadata/response-headers.js';
import { codingNames } from '../coding.js';

const DETAILS_KEY = 'grpc-status-details-bin';

/** How a call has ended, as gRPC and gRPC-Web have it in trailers. */
export function grpcTrailers(
  error: StatusError | undefined,
  trailers: Metadata | undefined,
  plain: ReadonlySet<string>,
): Map<string, string[]> {
  const all = rpcTrailersOf(trailers, plain);
  all.set('grpc-status', [String(error?.code ?? Code.OK)]);
  if (error === undefined) return all;
  const { details: text, metadata } = statusOf(error);
  if (text !== '') all.set('grpc-message', [encodeURI(text)]);
  const [details] = metadata?.get(DETAILS_KEY) ?? [];
  if (details !== undefined) {
    all.set(DETAILS_KEY, [Buffer.from(details).toString('base64').replace(/=+$/, '')]);
  }
  // A client that has used another one must get to know these (gRPC compression).
  if (error.code === Code.UNIMPLEMENTED) all.set('grpc-accept-encoding', [codingNames()]);
  return all;
}
