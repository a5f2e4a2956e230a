import { Code } from '@apix/contracts';
import { refusal } from '../../../errors.js';
import { parseGrpcTimeout } from '../../../metadata/request-metadata.js';
import { contentTypeOf, mediaTypeOf } from '../../../request/content-headers.js';
import { compressorFor } from '../coding.js';
import { FramedAnswer } from '../framed-answer.js';
import { FRAMES } from '../message-frames.js';
import type { CodecName, GatewayProtocol, RpcOutcome } from '../protocol.js';
import { firstHeader } from '../rpc-headers.js';
import { grpcTrailers } from './grpc-status.js';

const TYPES = new Map<string, CodecName>([
  ['application/grpc', 'proto'],
  ['application/grpc+proto', 'proto'],
  ['application/grpc+json', 'json'],
]);

/** gRPC over HTTP/2 (github.com/grpc/grpc, doc/PROTOCOL-HTTP2.md). */
export const grpcProtocol: GatewayProtocol = {
  name: 'grpc',
  mediaTypes: () => [...TYPES.keys()],
  read({ req, res }, { options }) {
    const contentType = mediaTypeOf(contentTypeOf(req));
    const codec = TYPES.get(contentType);
    if (codec === undefined) return undefined;
    if (req.httpVersionMajor < 2) {
      const message = 'gRPC needs HTTP/2; over HTTP/1.1 use gRPC-Web or Connect';
      throw refusal(Code.UNIMPLEMENTED, message, { httpStatus: 505 });
    }
    const { responseHeaders: plain, compress } = options;
    const finish = (answer: FramedAnswer, { error, headers, trailers }: RpcOutcome): void => {
      const all = grpcTrailers(error, trailers, plain);
      if (error !== undefined && headers === undefined && !res.headersSent) answer.endAtHead(all);
      else answer.endWithTrailers(headers, all);
    };
    return {
      codec,
      timeout: () => grpcTimeout(firstHeader(req, 'grpc-timeout')),
      requests: { framing: FRAMES, coding: firstHeader(req, 'grpc-encoding') ?? '' },
      answer: new FramedAnswer(res, {
        contentType,
        encodingHeader: 'grpc-encoding',
        compressor: compress ? compressorFor(firstHeader(req, 'grpc-accept-encoding')) : undefined,
        isText: false,
        plain,
        finish,
      }),
    };
  },
};

/** @throws HttpRefusal for a timeout that is none. */
export function grpcTimeout(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseGrpcTimeout(text);
}
