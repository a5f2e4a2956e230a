import { contentTypeOf, mediaTypeOf } from '../../../request/content-headers.js';
import { compressorFor } from '../coding.js';
import { FramedAnswer } from '../framed-answer.js';
import { grpcTrailers } from '../grpc/grpc-status.js';
import { grpcTimeout } from '../grpc/grpc.js';
import { inBase64 } from '../base64-text.js';
import { FRAMES } from '../message-frames.js';
import type { CodecName, GatewayProtocol, RpcOutcome } from '../protocol.js';
import { firstHeader } from '../rpc-headers.js';

interface WebType {
  readonly codec: CodecName;
  readonly isText: boolean;
}

const TYPES = new Map<string, WebType>(
  (['', '-text'] as const).flatMap((text) =>
    (['', '+proto', '+json'] as const).map((format) => [
      `application/grpc-web${text}${format}`,
      { codec: format === '+json' ? 'json' : 'proto', isText: text !== '' },
    ]),
  ),
);

const FRAMES_IN_TEXT = inBase64(FRAMES);

/** The flag of the frame that has the trailers. */
const TRAILERS = 0x80;

/** gRPC-Web (github.com/grpc/grpc, doc/PROTOCOL-WEB.md). */
export const grpcWebProtocol: GatewayProtocol = {
  name: 'grpc-web',
  mediaTypes: () => [...TYPES.keys()],
  read({ req, res }, { options }) {
    const contentType = mediaTypeOf(contentTypeOf(req));
    const type = TYPES.get(contentType);
    if (type === undefined) return undefined;
    const { codec, isText } = type;
    const { responseHeaders: plain, compress } = options;
    const finish = (answer: FramedAnswer, { error, headers, trailers }: RpcOutcome): void => {
      const all = grpcTrailers(error, trailers, plain);
      if (error !== undefined && headers === undefined && !res.headersSent) {
        answer.endAtHead(all);
        return;
      }
      answer.begin(headers);
      answer.endWith(TRAILERS, Buffer.from(linesOf(all), 'latin1'));
    };
    return {
      codec,
      timeout: () => grpcTimeout(firstHeader(req, 'grpc-timeout')),
      requests: {
        framing: isText ? FRAMES_IN_TEXT : FRAMES,
        coding: firstHeader(req, 'grpc-encoding') ?? '',
      },
      answer: new FramedAnswer(res, {
        contentType,
        encodingHeader: 'grpc-encoding',
        compressor: compress ? compressorFor(firstHeader(req, 'grpc-accept-encoding')) : undefined,
        isText,
        plain,
        finish,
      }),
    };
  },
};

/** Trailers as HTTP/1 would have them. */
function linesOf(trailers: ReadonlyMap<string, readonly string[]>): string {
  let lines = '';
  for (const [name, values] of trailers) {
    for (const value of values) lines += `${name}: ${value}\r\n`;
  }
  return lines;
}
