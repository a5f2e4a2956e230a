import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Code, StatusError } from '@apix/contracts';
import type { Registry } from '@bufbuild/protobuf';
import { HttpRefusal, badRequest } from '../errors.js';
import { requestIdOf, requestMetadata } from '../metadata/request-metadata.js';
import { parseGrpcTimeout } from '../metadata/timeout.js';
import type { ResolvedTranscoding } from '../options.js';
import { type RawBody, takesRawBody } from '../request/body.js';
import { isForm } from '../request/form.js';
import { readFrame, readMessage } from '../request/read-message.js';
import type { Binding } from '../rules/binding.js';
import type { CallHead, Upstream } from '../upstream/upstream.js';
import { Answers, type RoutedRequest } from './answer.js';
import { answerStream } from './answer-stream.js';
import { answerUnary } from './answer-unary.js';
import { assertJson, assertNotCompressed } from './media-type.js';
import { announcesBody, isOpenEnded, readRequestBody } from './read-request-body.js';
import { assertNotForged } from './simple-request.js';
import type { UpgradeRequest, WebSocketDoor, WebSocketSupport } from './websocket-door.js';

/** Figures of the requests so far. */
export interface ExchangeCounts {
  /** Requests under way. */
  active: number;
  /** Requests that have ended, by HTTP status. */
  readonly served: Map<number, number>;
}

/** Carries requests to the server and answers back. */
export class Exchange {
  readonly counts: ExchangeCounts = { active: 0, served: new Map() };
  private readonly answers: Answers;
  private readonly door: WebSocketDoor | undefined;

  constructor(
    private readonly upstreamOf: () => Upstream,
    registry: Registry,
    private readonly options: ResolvedTranscoding,
    webSockets: WebSocketSupport | undefined,
  ) {
    this.answers = new Answers(registry, options);
    this.door = webSockets?.(this.answers);
  }

  /** Serves one request; whatever happens becomes its answer. */
  serve(request: RoutedRequest): void {
    const { res, binding } = request;
    // HTTP/2 takes a stream that was reset for finished.
    const isSent = (): boolean => res.writableEnded && res.writableFinished;
    this.count(res, () => (isSent() ? res.statusCode : 499));
    try {
      assertNotForged(request, this.options);
      const head = this.headOf(request);
      const answer = this.answerOf(binding);
      const body = this.bodyOf(request);
      if (body instanceof Promise) void this.serveLater(request, head, answer, body);
      else this.make(request, head, answer, body);
    } catch (error) {
      this.refuse(res, error);
    }
  }

  private async serveLater(
    request: RoutedRequest,
    head: CallHead,
    answer: Answering,
    body: Promise<RawBody>,
  ): Promise<void> {
    try {
      this.make(request, head, answer, await body);
    } catch (error) {
      this.refuse(request.res, error);
    }
  }

  private make(request: RoutedRequest, head: CallHead, answer: Answering, body: RawBody): void {
    if (request.res.destroyed) return;
    const form = this.takesForm(request.binding, body);
    const message = readMessage(request, body, form, this.answers.reading);
    answer(request, head, message, this.upstreamOf(), this.answers);
  }

  /** Serves one request for a WebSocket; what keeps it from one becomes its answer. */
  connect(request: UpgradeRequest): void {
    const { req, res } = request;
    this.count(request.socket, () => (res.writableFinished ? res.statusCode : 101));
    try {
      const head = this.headOf(request);
      const credentials = this.door?.admit(req);
      if (credentials !== undefined) head.metadata.set('authorization', credentials);
      // What path and query say holds for every message: wrong once, wrong always.
      readFrame(request, { contentType: '', bytes: NO_BYTES }, this.answers.reading);
      this.door?.carry(request, head, this.upstreamOf());
    } catch (error) {
      this.refuse(res, error);
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

  /** Counts a request that ends when something closes. */
  private count(exchange: Duplex | ServerResponse, statusOf: () => number): void {
    const { counts } = this;
    counts.active += 1;
    exchange.once('close', () => {
      counts.active -= 1;
      const status = statusOf();
      counts.served.set(status, (counts.served.get(status) ?? 0) + 1);
    });
  }

  /** The call that a request stands for, without its message. */
  private headOf({ req, res, binding }: RoutedRequest): CallHead {
    const { method, fullName } = binding;
    const requestId = requestIdOf(req);
    res.setHeader('x-request-id', requestId);
    const metadata = requestMetadata(req, requestId, this.options);
    const timeoutMs = this.timeoutOf(req, method.methodKind === 'unary');
    return { method, fullName, metadata, timeoutMs };
  }

  /** At once where none is announced. */
  private bodyOf({ req, binding }: RoutedRequest): RawBody | Promise<RawBody> {
    const contentType = req.headers['content-type'] ?? '';
    if (!announcesBody(req)) return { contentType, bytes: NO_BYTES };
    const mayBeNone = isOpenEnded(req);
    if (!mayBeNone) this.assertTaken(req, binding);
    return readRequestBody(req, this.options).then((bytes) => {
      if (mayBeNone && bytes.length > 0) this.assertTaken(req, binding);
      return { contentType, bytes };
    });
  }

  /** @throws HttpRefusal for a body that the rule has no place for, or of another media type. */
  private assertTaken(req: IncomingMessage, binding: Binding): void {
    if (binding.body.kind === 'none') {
      throw badRequest(
        `request body: ${binding.httpMethod} ${binding.template.source} takes no body`,
      );
    }
    assertNotCompressed(req);
    const form = this.options.forms && isForm(req.headers['content-type'] ?? '');
    if (!takesRawBody(binding) && !form) assertJson(req);
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

  private takesForm(binding: Binding, { contentType, bytes }: RawBody): boolean {
    const isOne = this.options.forms && bytes.length > 0 && isForm(contentType);
    return isOne && !takesRawBody(binding);
  }

  /** Streams may go on for as long as they like, unless their caller says otherwise. */
  private timeoutOf(req: IncomingMessage, unary: boolean): number | undefined {
    const { 'grpc-timeout': asked } = req.headers;
    const { timeoutMs, maxTimeoutMs } = this.options;
    const usual = unary ? timeoutMs : Infinity;
    const wanted = typeof asked === 'string' ? parseGrpcTimeout(asked) : usual;
    const limited = Math.min(wanted, maxTimeoutMs);
    return limited === Infinity ? undefined : limited;
  }
}

type Answering = typeof answerUnary;

const NO_BYTES = new Uint8Array();

function noWebSockets(): HttpRefusal {
  const message = 'this method takes a stream of requests, and this gateway serves no WebSockets';
  return new HttpRefusal(new StatusError(Code.UNIMPLEMENTED, message));
}

function webSocketsOnly(): HttpRefusal {
  const message = 'this method takes a stream of requests: connect with a WebSocket';
  return new HttpRefusal(new StatusError(Code.UNIMPLEMENTED, message), {
    httpStatus: 426,
    headers: { connection: 'upgrade', upgrade: 'websocket' },
  });
}
