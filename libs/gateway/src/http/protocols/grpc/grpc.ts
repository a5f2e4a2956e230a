import { Code } from '@apix/contracts';
import { refusal } from '../../../errors.js';
import { parseGrpcTimeout } from '../../../metadata/request-metadata.js';
import { contentTypeOf, mediaTypeOf } from '../../../request/content-headers.js';
import { FramedAnswer, type FramedForm } from '../framed-answer.js';
import { FRAMES } from '../message-frames.js';
import type { CodecName, GatewayProtocol, RpcContext, RpcOutcome } from '../protocol.js';
import { ReadForm, ReadRequests } from '../read-form.js';
import { compressorOf, firstHeader } from '../rpc-headers.js';
import { grpcTrailers } from './grpc-status.js';

interface GrpcType {
  readonly codec: CodecName;
  readonly form: FramedForm;
}

const TYPES = new Map<string, GrpcType>(
  (['', '+proto', '+json'] as const).map((format) => {
    const contentType = `application/grpc${format}`;
    const form = { contentType, encodingHeader: 'grpc-encoding', isText: false, finish } as const;
    return [contentType, { codec: format === '+json' ? 'json' : 'proto', form }];
  }),
);

/** gRPC over HTTP/2 (github.com/grpc/grpc, doc/PROTOCOL-HTTP2.md). */
export const grpcProtocol: GatewayProtocol = {
  name: 'grpc',
  mediaTypes: () => [...TYPES.keys()],
  read({ req, res }, context) {
    const type = TYPES.get(mediaTypeOf(contentTypeOf(req)));
    if (type === undefined) return undefined;
    if (req.httpVersionMajor < 2) {
      const message = 'gRPC needs HTTP/2; over HTTP/1.1 use gRPC-Web or Connect';
      throw refusal(Code.UNIMPLEMENTED, message, { httpStatus: 505 });
    }
    const compressor = compressorOf(req, 'grpc-accept-encoding', context);
    return new ReadForm(
      type.codec,
      () => grpcTimeout(firstHeader(req, 'grpc-timeout')),
      new ReadRequests(FRAMES, firstHeader(req, 'grpc-encoding') ?? ''),
      new FramedAnswer(res, type.form, compressor, context),
    );
  },
};

function finish(
  answer: FramedAnswer,
  { error, headers, trailers }: RpcOutcome,
  { options }: RpcContext,
): void {
  const all = grpcTrailers(error, trailers, options.responseHeaders);
  const isUnsent = headers === undefined && !answer.res.headersSent;
  if (error !== undefined && isUnsent) answer.endAtHead(all);
  else answer.endWithTrailers(headers, all);
}

/** @throws HttpRefusal for a timeout that is none. */
export function grpcTimeout(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseGrpcTimeout(text);
}
