import { contentTypeOf, mediaTypeOf } from '../../../request/content-headers.js';
import { FramedAnswer, type FramedForm } from '../framed-answer.js';
import { grpcTrailers } from '../grpc/grpc-status.js';
import { grpcTimeout } from '../grpc/grpc.js';
import { inBase64 } from '../base64-text.js';
import { FRAMES } from '../message-frames.js';
import type { CodecName, GatewayProtocol, RpcContext, RpcOutcome } from '../protocol.js';
import { ReadForm, ReadRequests } from '../read-form.js';
import { compressorOf, firstHeader } from '../rpc-headers.js';

interface WebType {
  readonly codec: CodecName;
  readonly form: FramedForm;
}

const TYPES = new Map<string, WebType>(
  (['', '-text'] as const).flatMap((text) =>
    (['', '+proto', '+json'] as const).map((format): [string, WebType] => {
      const contentType = `application/grpc-web${text}${format}`;
      const isText = text !== '';
      const form = { contentType, encodingHeader: 'grpc-encoding', isText, finish } as const;
      return [contentType, { codec: format === '+json' ? 'json' : 'proto', form }];
    }),
  ),
);

const FRAMES_IN_TEXT = inBase64(FRAMES);

/** The flag of the frame that has the trailers. */
const TRAILERS = 0x80;

/** gRPC-Web (github.com/grpc/grpc, doc/PROTOCOL-WEB.md). */
export const grpcWebProtocol: GatewayProtocol = {
  name: 'grpc-web',
  mediaTypes: () => [...TYPES.keys()],
  read({ req, res }, context) {
    const type = TYPES.get(mediaTypeOf(contentTypeOf(req)));
    if (type === undefined) return undefined;
    const { codec, form } = type;
    const compressor = compressorOf(req, 'grpc-accept-encoding', context);
    const framing = form.isText ? FRAMES_IN_TEXT : FRAMES;
    return new ReadForm(
      codec,
      () => grpcTimeout(firstHeader(req, 'grpc-timeout')),
      new ReadRequests(framing, firstHeader(req, 'grpc-encoding') ?? ''),
      new FramedAnswer(res, form, compressor, context),
    );
  },
};

function finish(
  answer: FramedAnswer,
  { error, headers, trailers }: RpcOutcome,
  { options }: RpcContext,
): void {
  const all = grpcTrailers(error, trailers, options.responseHeaders);
  if (error !== undefined && headers === undefined && !answer.res.headersSent) {
    answer.endAtHead(all);
    return;
  }
  answer.begin(headers);
  answer.endWith(TRAILERS, Buffer.from(linesOf(all), 'latin1'));
}

/** Trailers as HTTP/1 would have them. */
function linesOf(trailers: ReadonlyMap<string, readonly string[]>): string {
  let lines = '';
  for (const [name, values] of trailers) {
    for (const value of values) lines += `${name}: ${value}\r\n`;
  }
  return lines;
}
