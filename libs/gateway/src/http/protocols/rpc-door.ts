import { Code } from '@apix/contracts';
import { noteHandler, requestIdOf } from '@apix/contracts/internal';
import type { DescMethod } from '@bufbuild/protobuf';
import type { Metadata } from '@grpc/grpc-js';
import { refusal } from '../../errors.js';
import type { Answers } from '../answer.js';
import type { BodyRules } from '../announced-request.js';
import { send, setHeaders } from '../send.js';
import { rpcMetadata } from '../../metadata/request-metadata.js';
import { contentTypeOf, mediaTypeOf, unsupported } from '../../request/content-headers.js';
import { quotedInput } from '../../errors.js';
import type { Upstream, UpstreamHead } from '../../upstream/upstream.js';
import { connectProtocol } from './connect/connect.js';
import { grpcWebProtocol } from './grpc-web/grpc-web.js';
import { grpcProtocol } from './grpc/grpc.js';
import { type MessageCodec, MessageCodecs, MessageRules } from './message-codec.js';
import type { GatewayProtocol, RpcForm, RpcRequest, ServedProtocols } from './protocol.js';
import { RpcCall } from './rpc-call.js';
import type { RpcRoute } from './rpc-routes.js';
import { Unpacker } from './unpacker.js';

const BUILT_IN: readonly GatewayProtocol[] = [connectProtocol, grpcWebProtocol, grpcProtocol];

const POST: readonly string[] = ['POST'];

/** The HTTP methods of a method's path. */
interface AllowedMethods {
  readonly names: ReadonlySet<string>;
  /** The header `Allow`. */
  readonly text: string;
}

/** Makes requests of several protocols, which have the path of their method, into calls. */
export class RpcDoor {
  readonly #protocols: readonly GatewayProtocol[];
  readonly #codecs: MessageCodecs;
  readonly #unpacker = new Unpacker();
  readonly #allowed = new Map<DescMethod, AllowedMethods>();

  constructor(
    { names, own }: ServedProtocols,
    private readonly answers: Answers,
    private readonly bodies: BodyRules,
  ) {
    this.#protocols = [...BUILT_IN.filter(({ name }) => names.has(name)), ...own];
    this.#codecs = new MessageCodecs(answers);
  }

  /** Serves one request; whatever happens becomes its answer. */
  serve(request: RpcRequest, route: RpcRoute, upstreamOf: () => Upstream): void {
    const { req, res, method } = request;
    if (req.method === 'OPTIONS') {
      setHeaders(res, [['allow', this.#allowedOf(method).text]]);
      send(res, 204, undefined);
      return;
    }
    const form = this.#read(request, route);
    try {
      const codec = this.#codecs.of(method, form.codec);
      const head = this.#headOf(request, route, form, codec);
      const upstream = upstreamOf();
      const { maxBodyBytes } = this.answers.options;
      const asWire = upstream.takesWire ?? false;
      const messages = new MessageRules(codec, maxBodyBytes, asWire, this.#unpacker);
      new RpcCall(request, form, this.answers, messages).start(upstream, head, this.bodies);
    } catch (error) {
      const status = this.answers.statusFor(res, error);
      form.answer.end({ error: status, headers: undefined, trailers: undefined });
    }
  }

  /** @throws HttpRefusal for a request of no protocol, and for one that its HTTP version cannot carry. */
  #read(request: RpcRequest, route: RpcRoute): RpcForm {
    const { req, method } = request;
    const allowed = this.#allowedOf(method);
    if (!allowed.names.has(req.method ?? '')) {
      const message = `${req.method} is not served at this path`;
      const headers = { allow: allowed.text };
      throw refusal(Code.UNIMPLEMENTED, message, { httpStatus: 405, headers });
    }
    for (const protocol of this.#protocols) {
      if (!(protocol.httpMethods?.(method) ?? POST).includes(req.method ?? '')) continue;
      const form = protocol.read(request, this.answers);
      if (form === undefined) continue;
      noteHandler(req, route.reachedBy(protocol.name));
      assertCarried(request);
      return form;
    }
    throw this.#unknownType(request);
  }

  #unknownType({ req, method }: RpcRequest): Error {
    const given = mediaTypeOf(contentTypeOf(req));
    const accepted = this.#protocols.flatMap((protocol) => protocol.mediaTypes(method)).join(', ');
    const what = given === '' ? 'no content type' : `content type ${quotedInput(given)}`;
    return unsupported(`${what}: send one that Accept-Post lists`, { 'accept-post': accepted });
  }

  #headOf(
    { req, res, method }: RpcRequest,
    { fullName: path }: RpcRoute,
    form: RpcForm,
    { writeAnswer }: MessageCodec,
  ): UpstreamHead {
    const { options } = this.answers;
    const requestId = requestIdOf(req);
    res.setHeader('x-request-id', requestId);
    const metadata = rpcMetadata(req, requestId, options);
    // Streams may go on for as long as they like, unless their caller or maxTimeout says otherwise.
    const usual = method.methodKind === 'unary' ? options.timeout : Infinity;
    const deadline = Date.now() + Math.min(form.timeout() ?? usual, options.maxTimeout);
    return new RpcHead(method, path, metadata, deadline, writeAnswer);
  }

  #allowedOf(method: DescMethod): AllowedMethods {
    let allowed = this.#allowed.get(method);
    if (allowed === undefined) {
      const named = this.#protocols.flatMap((protocol) => protocol.httpMethods?.(method) ?? POST);
      const names = new Set([...named, 'OPTIONS']);
      allowed = { names, text: [...names].join(', ') };
      this.#allowed.set(method, allowed);
    }
    return allowed;
  }
}

/** A class and no literal. Why: docs/decisions/0522 */
class RpcHead implements UpstreamHead {
  constructor(
    readonly method: DescMethod,
    readonly path: string,
    readonly metadata: Metadata,
    readonly deadline: number,
    readonly writeAnswer: UpstreamHead['writeAnswer'],
  ) {}
}

/**
 * Over HTTP/1 clients send the whole request before they read the answer, so that a call in both directions would wait
 * for ever.
 *
 * @throws HttpRefusal, 505.
 */
function assertCarried({ req, method }: RpcRequest): void {
  if (method.methodKind !== 'bidi_streaming' || req.httpVersionMajor >= 2) return;
  const message = 'this method streams in both directions, which needs HTTP/2';
  throw refusal(Code.UNIMPLEMENTED, message, { httpStatus: 505 });
}
