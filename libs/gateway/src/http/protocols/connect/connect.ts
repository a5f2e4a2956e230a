import type { IncomingMessage } from 'node:http';
import { MAX_TIMER_MS } from '@apix/contracts/internal';
import { badRequest, quotedInput } from '../../../errors.js';
import { rpcTrailersOf } from '../../../metadata/response-headers.js';
import { assertUtf8, contentTypeOf, mediaTypeOf } from '../../../request/content-headers.js';
import { FramedAnswer, type FramedForm } from '../framed-answer.js';
import { FRAMES } from '../message-frames.js';
import type {
  CodecName,
  GatewayProtocol,
  RpcContext,
  RpcForm,
  RpcOutcome,
  RpcRequest,
} from '../protocol.js';
import { ReadForm, ReadRequests } from '../read-form.js';
import { compressorOf, firstHeader } from '../rpc-headers.js';
import { ConnectGetQuery, getCacheRule, isGettable } from './connect-get.js';
import { ConnectUnaryAnswer } from './connect-unary.js';
import { connectError } from './error-json.js';

const UNARY_TYPES = new Map<string, CodecName>([
  ['application/json', 'json'],
  ['application/proto', 'proto'],
]);

const STREAM_TYPES = new Map<string, CodecName>([
  ['application/connect+json', 'json'],
  ['application/connect+proto', 'proto'],
]);

const STREAM_FORMS: Readonly<Record<CodecName, FramedForm>> = {
  json: streamForm('json'),
  proto: streamForm('proto'),
};

/** The flag of the frame that ends a stream. */
const END_STREAM = 0b10;

const TIMEOUT = /^\d{1,10}$/;

/** The Connect protocol (connectrpc.com/docs/protocol). */
export const connectProtocol: GatewayProtocol = {
  name: 'connect',
  httpMethods: (method) => (isGettable(method) ? ['GET', 'POST'] : ['POST']),
  mediaTypes: ({ methodKind }) => [...(methodKind === 'unary' ? UNARY_TYPES : STREAM_TYPES).keys()],
  read(request, context) {
    const { req, method } = request;
    if (req.method === 'GET') {
      return isGettable(method) ? formOfGet(request, context) : undefined;
    }
    const isUnary = method.methodKind === 'unary';
    const contentType = contentTypeOf(req);
    const codec = (isUnary ? UNARY_TYPES : STREAM_TYPES).get(mediaTypeOf(contentType));
    if (codec === undefined) return undefined;
    assertUtf8(contentType);
    return isUnary ? formOfPost(request, codec, context) : formOfStream(request, codec, context);
  },
};

function formOfPost({ req, res }: RpcRequest, codec: CodecName, context: RpcContext): RpcForm {
  const compressor = compressorOf(req, 'accept-encoding', context);
  return new ReadForm(
    codec,
    () => timeoutOf(req, firstHeader(req, 'connect-protocol-version')),
    new ReadRequests('body', codingOf(req, 'content-encoding')),
    new ConnectUnaryAnswer(res, `application/${codec}`, compressor, context, undefined),
  );
}

function formOfGet({ req, res, query }: RpcRequest, context: RpcContext): RpcForm {
  const asked = new ConnectGetQuery(req, query);
  const codec = asked.codec();
  const compressor = compressorOf(req, 'accept-encoding', context);
  const cache = getCacheRule(req, context.options);
  return new ReadForm(
    codec,
    () => timeoutOf(req, asked.version),
    new ReadRequests('body', asked.compression, () => asked.message()),
    new ConnectUnaryAnswer(res, `application/${codec}`, compressor, context, cache),
  );
}

function formOfStream({ req, res }: RpcRequest, codec: CodecName, context: RpcContext): RpcForm {
  const compressor = compressorOf(req, 'connect-accept-encoding', context);
  return new ReadForm(
    codec,
    () => timeoutOf(req, firstHeader(req, 'connect-protocol-version')),
    new ReadRequests(FRAMES, codingOf(req, 'connect-content-encoding')),
    new FramedAnswer(res, STREAM_FORMS[codec], compressor, context),
  );
}

function streamForm(codec: CodecName): FramedForm {
  return {
    contentType: `application/connect+${codec}`,
    encodingHeader: 'connect-content-encoding',
    isText: false,
    finish: finishStream,
  };
}

function finishStream(
  answer: FramedAnswer,
  { error, headers, trailers }: RpcOutcome,
  context: RpcContext,
): void {
  answer.begin(headers);
  const { responseHeaders } = context.options;
  const metadata = Object.fromEntries(rpcTrailersOf(trailers, responseHeaders));
  const end = {
    ...(error !== undefined && { error: connectError(error, context) }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
  answer.endWith(END_STREAM, Buffer.from(JSON.stringify(end)));
}

/**
 * @param version that the caller states; the header is optional, so that curl can do without.
 * @throws HttpRefusal for another version than 1, and for a timeout that is none.
 */
function timeoutOf(req: IncomingMessage, version: string | undefined): number | undefined {
  if (version !== undefined && version !== '1') {
    throw badRequest(`Connect version ${quotedInput(version)}: only 1 is supported`);
  }
  const text = firstHeader(req, 'connect-timeout-ms');
  if (text === undefined) return undefined;
  if (TIMEOUT.test(text)) return Math.min(Number(text), MAX_TIMER_MS - 1_000);
  const message = `header Connect-Timeout-Ms has the value ${quotedInput(text)}`;
  throw badRequest(`${message}: use up to ten digits`, 'Connect-Timeout-Ms');
}

function codingOf(req: IncomingMessage, header: string): string {
  return (firstHeader(req, header) ?? '').trim().toLowerCase();
}
