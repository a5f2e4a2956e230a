import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Code } from '@apix/contracts';
import { requestIdOf } from '@apix/contracts/internal';
import type { Registry } from '@bufbuild/protobuf';
import { type HttpRefusal, refusal } from '../errors.js';
import { parseGrpcTimeout, requestMetadata } from '../metadata/request-metadata.js';
import type { ResolvedTranscoding } from '../options.js';
import type { RawBody } from '../request/body.js';
import {
  announcesBody,
  checkParameters,
  readMessage,
  textBytesOf,
} from '../request/read-message.js';
import type { Binding } from '../rules/binding.js';
import { type RequestSource, unreadableRequest } from '../upstream/request-source.js';
import type { UpstreamHead, Upstream } from '../upstream/upstream.js';
import type { RpcRequest, ServedProtocols } from './protocols/protocol.js';
import { RpcDoor } from './protocols/rpc-door.js';
import type { RpcRoute } from './protocols/rpc-routes.js';
import { closeWithConnection } from '@apix/calls/internal';
import { assertNotForged, assertTypeTaken } from '../request/content-headers.js';
import { AnnouncedRequest, type BodyRules, RuleBody } from './announced-request.js';
import { Answers, type RoutedRequest } from './answer.js';
import { answerStream } from './answer-stream.js';
import { answerUnary } from './answer-unary.js';
import { BodyBudget, ReadAhead } from './body-budget.js';
import type { Mistake, UpgradeRequest, WebSocketDoor, WebSocketSupport } from './websocket-door.js';

/** Figures of the requests so far. */
export interface ExchangeCounts {
  /** Requests under way. */
  active: number;
  /** Requests that have ended, by HTTP status. */
  readonly served: Map<number, number>;
}

/** Which requests there are, besides those to rules. */
export interface DoorChoice {
  readonly protocols: ServedProtocols;
  readonly webSockets: WebSocketSupport | undefined;
}

/** Carries requests to the server and answers back. */
export class Exchange {
  readonly counts: ExchangeCounts = { active: 0, served: new Map() };
  private readonly answers: Answers;
  private readonly bodies: BodyRules;
  private readonly door: WebSocketDoor | undefined;
  private readonly rpcDoor: RpcDoor;

  constructor(
    private readonly upstreamOf: () => Upstream,
    registry: Registry,
    private readonly options: ResolvedTranscoding,
    { protocols, webSockets }: DoorChoice,
  ) {
    this.answers = new Answers(registry, options);
    const budget = new BodyBudget(options.maxBodyBytesInAll);
    const { reading } = this.answers;
    this.bodies = { reading, options, budget, ahead: new ReadAhead() };
    this.door = webSockets?.(this.answers, budget);
    this.rpcDoor = new RpcDoor(protocols, this.answers, this.bodies);
  }

  /** Serves one request; whatever happens becomes its answer. */
  serve(request: RoutedRequest): void {
    const { req, res, binding } = request;
    if (!this.isThere(request)) return;
    try {
      const changes = !SAFE.has(req.method ?? '');
      if (changes) assertNotForged(request, this.options);
      const head = this.headOf(request);
      const answer = this.answerOf(binding);
      const upstream = this.upstreamOf();
      const source = this.sourceOf(request, changes, upstream);
      answer(request, head, source, upstream, this.answers);
    } catch (error) {
      this.refuse(res, error);
    }
  }

  /** Serves one request whose path is that of a method; whatever happens becomes its answer. */
  serveRpc(request: RpcRequest, route: RpcRoute): void {
    if (!this.isThere(request)) return;
    try {
      this.rpcDoor.serve(request, route, this.upstreamOf);
    } catch (error) {
      this.refuse(request.res, error);
    }
  }

  /** Counts a request, unless its caller is gone. */
  private isThere({ req, res }: ServedRequest): boolean {
    if (isGone({ req, res })) {
      this.countEnd(499);
      return false;
    }
    closeWithConnection(res);
    this.count(res, res, 499);
    return true;
  }

  /** Serves one request for a WebSocket; what keeps it from one becomes its answer. */
  connect(request: UpgradeRequest): void {
    const { req, res } = request;
    this.count(request.socket, res, 101);
    try {
      const head = this.headOf(request);
      const credentials = this.door?.admit(req);
      if (credentials !== undefined) head.metadata.set('authorization', credentials);
      this.door?.carry(request, head, this.upstreamOf(), this.mistakeIn(request));
    } catch (error) {
      this.refuse(res, error);
    }
  }

  /** Path and query apply to every message of a stream: a mistake in them concerns all messages. */
  private mistakeIn(request: UpgradeRequest): Mistake | undefined {
    try {
      checkParameters(request, this.answers.reading);
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  /** Tells the clients of WebSockets to go; resolves once they have. */
  async closeWebSockets(): Promise<void> {
    await this.door?.close();
  }

  /** Answers with an error. */
  refuse(res: ServerResponse, error: unknown): void {
    this.answers.refuse(res, error);
  }

  /** Counts a request that ends when something closes; one without an answer has the status `unsent`. */
  private count(exchange: Duplex | ServerResponse, res: ServerResponse, unsent: number): void {
    const { counts } = this;
    counts.active += 1;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      counts.active -= 1;
      // HTTP/2 takes a stream that was reset for finished.
      const isSent = res.writableEnded && res.writableFinished;
      this.countEnd(isSent ? res.statusCode : unsent);
    };
    exchange.once('close', end);
    // A response of HTTP/2 closes only when its request is over too.
    streamOf(exchange)?.once('finish', end);
  }

  private countEnd(status: number): void {
    const { served } = this.counts;
    served.set(status, (served.get(status) ?? 0) + 1);
  }

  /** The call that a request represents, without its message. */
  private headOf({ req, res, binding }: RoutedRequest): UpstreamHead {
    const { method, fullName } = binding;
    const requestId = requestIdOf(req);
    res.setHeader('x-request-id', requestId);
    const metadata = requestMetadata(req, requestId, this.options);
    const deadline = Date.now() + this.timeoutOf(req, method.methodKind === 'unary');
    const writeAnswer = this.answers.writerOf(binding);
    return { method, path: fullName, metadata, deadline, writeAnswer };
  }

  /** Read at once where no body is announced, for there is nothing that could be spared. */
  private sourceOf(
    request: RoutedRequest,
    changes: boolean,
    { takesWire = false }: Upstream,
  ): RequestSource {
    if (announcesBody(request.req)) {
      const content = new RuleBody(request, this.bodies, takesWire);
      return new AnnouncedRequest(request.req, this.bodies, content);
    }
    try {
      if (changes) assertTypeTaken(request, this.options);
      const message = readMessage(request, NO_BODY, false, this.answers.reading);
      return { message, textBytes: textBytesOf(request, NO_BODY, this.answers.reading) };
    } catch (error) {
      // The caller is checked first, whatever the request contains.
      return unreadableRequest(error);
    }
  }

  /** @throws HttpRefusal for a method with a stream of requests: 426, or 501 without WebSockets. */
  private answerOf({ method }: Binding): Answering {
    switch (method.methodKind) {
      case 'unary':
        return answerUnary;
      case 'server_streaming':
        return answerStream;
      case 'client_streaming':
      case 'bidi_streaming':
        throw this.door === undefined ? noWebSockets() : webSocketsOnly();
    }
  }

  /** Streams may go on for as long as they like, unless their caller or `maxTimeout` says otherwise. */
  private timeoutOf(req: IncomingMessage, unary: boolean): number {
    const { 'grpc-timeout': asked } = req.headers;
    const { timeout, maxTimeout } = this.options;
    const usual = unary ? timeout : Infinity;
    const wanted = typeof asked === 'string' ? parseGrpcTimeout(asked) : usual;
    return Math.min(wanted, maxTimeout);
  }
}

/** Methods that change nothing (RFC 9110 §9.2.1): pages of any origin may send them. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

type Answering = typeof answerUnary;
type ServedRequest = Pick<RoutedRequest, 'req' | 'res'>;

/** Whether a caller went away before, as while a middleware took its time: nothing would say so again. */
function isGone({ req, res }: ServedRequest): boolean {
  const stream = streamOf(res);
  if (stream !== undefined) return stream.destroyed;
  return res.destroyed || (res.socket === null && req.socket.destroyed);
}

/** That of HTTP/2. */
function streamOf(exchange: object): Duplex | undefined {
  return (exchange as { readonly stream?: Duplex }).stream;
}

const NO_BODY: RawBody = { contentType: '', bytes: new Uint8Array() };

function noWebSockets(): HttpRefusal {
  const message = 'this method takes a stream of requests, and this gateway serves no WebSockets';
  return refusal(Code.UNIMPLEMENTED, message);
}

function webSocketsOnly(): HttpRefusal {
  const message = 'this method takes a stream of requests: connect with a WebSocket';
  const headers = { connection: 'upgrade', upgrade: 'websocket' };
  return refusal(Code.UNIMPLEMENTED, message, { httpStatus: 426, headers });
}
