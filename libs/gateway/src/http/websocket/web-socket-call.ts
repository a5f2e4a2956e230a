import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Code, StatusError, codeName } from '@apix/contracts';
import type { MessageOrWire, Call, CallEnd } from '@apix/calls';
import { type Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import type { WebSocket, WebSocketServer } from 'ws';
import { badRequest } from '../../errors.js';
import { takesRawBody } from '../../request/body.js';
import { readFrame } from '../../request/read-message.js';
import { type AnswerContent, answersRaw, responseBody } from '../../response/response-body.js';
import { failureOf } from '../../upstream/call-failure.js';
import { type FrameSource, RequestQueue } from '../../upstream/request-queue.js';
import type { AnswerListener, UpstreamHead, Upstream } from '../../upstream/upstream.js';
import type { Answers } from '../answer.js';
import type { BodyBudget, BodyHolder } from '../body-budget.js';
import type { Mistake, UpgradeRequest } from '../websocket-door.js';

/** Close codes for private use (RFC 6455 §7.4.2): this plus the gRPC code. */
const PRIVATE_CODE = 4_000;
const NORMAL = 1_000;
const GOING_AWAY = 1_001;
/** From how many unsent bytes on pings are not answered. */
const UNREAD_PONGS_BYTES = 64 * 1024;

/** A denial may come with headers too; its status follows directly, in a separate packet. */
const AFTER_HEADERS_MS = 20;

/** A message as it came. */
interface Frame {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

/** The settings shared by the WebSockets of a gateway, and the mistake in the handshake of this one. */
export interface WebSocketContext {
  readonly server: WebSocketServer;
  readonly budget: BodyBudget;
  readonly mistake: Mistake | undefined;
}

/**
 * One call over one WebSocket: opened when the server has had its chance to deny it, held back in
 * each direction by who reads slowly, ended with its status. A client that closes before the end
 * cancels the call.
 */
export class WebSocketCall implements AnswerListener, FrameSource<Frame>, BodyHolder {
  private call!: Call;
  private requests!: RequestQueue<Frame>;
  /** Bytes of messages that the call has yet to take. */
  heldBytes = 0;
  heldSince = 0;
  private ws: WebSocket | undefined;
  private headers: Metadata | undefined;
  private admission: NodeJS.Timeout | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private alive = true;
  private allSent = false;
  private ended = false;
  private readonly cancel = (): void => {
    clearTimeout(this.admission);
    clearInterval(this.heartbeat);
    this.drop();
    this.call.cancel();
  };

  constructor(
    private readonly request: UpgradeRequest,
    private readonly answers: Answers,
    private readonly context: WebSocketContext,
  ) {}

  /** @param admissionMs how long the server may take to deny the call as an HTTP status. */
  start(upstream: Upstream, head: UpstreamHead, admissionMs: number): void {
    const call = upstream.open(head, this);
    this.call = call;
    this.requests = new RequestQueue(call, this);
    this.request.res.once('close', this.cancel);
    // A mistake is for callers who are let in, and onEmpty says when, if anybody can.
    if (this.context.mistake === undefined || call.whenWanted === undefined) {
      // Why: docs/decisions/0033
      this.admission = setTimeout(() => this.open(), admissionMs);
    }
    call.read();
  }

  onHeaders(headers: Metadata): void {
    this.headers = headers;
    clearTimeout(this.admission);
    this.admission = setTimeout(() => this.open(), AFTER_HEADERS_MS);
  }

  /** Tells the client to go, and returns its socket. */
  leave(): Duplex {
    if (this.ws !== undefined) {
      this.ws.resume();
      this.ws.close(GOING_AWAY, 'going away');
    } else if (!this.ended) {
      this.call.cancel();
      this.refuse(new StatusError(Code.UNAVAILABLE, 'the gateway is stopping'));
    }
    return this.request.socket;
  }

  /** Grants the WebSocket, once. */
  private open(): void {
    if (this.ws !== undefined || this.ended) return;
    clearTimeout(this.admission);
    const { mistake, server } = this.context;
    if (mistake !== undefined) {
      this.call.cancel();
      this.refuse(mistake.error);
      return;
    }
    const { req, res, socket, head } = this.request;
    this.answers.setMetadata(res, this.headers, 'grpc-metadata-');
    const lines = headerLines(res);
    res.off('close', this.cancel);
    res.detachSocket(socket as never);
    server.once('headers', (headers: string[]) => headers.push(...lines));
    server.handleUpgrade(req, socket, head, (ws) => this.attach(ws));
    // The handshake fails only if the socket has closed meanwhile; then there is no client to report to.
    if (this.ws === undefined) this.cancel();
  }

  private attach(ws: WebSocket): void {
    this.ws = ws;
    ws.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
    ws.on('pong', () => (this.alive = true));
    // A client that does not read would have the answers to its pings kept for it.
    ws.on('ping', (data) => ws.bufferedAmount < UNREAD_PONGS_BYTES && ws.pong(data));
    // Frames that break the protocol or a limit; ws informs the client and closes.
    ws.on('error', this.cancel);
    ws.on('close', this.cancel);
    this.heartbeat = setInterval(() => this.beat(ws), this.answers.options.heartbeat);
  }

  private receive(data: Buffer, isBinary: boolean): void {
    this.alive = true;
    if (this.ended) return;
    try {
      if (this.allSent) throw badRequest('a message was sent after the end of the requests');
      if (data.length === 0 && !isBinary) {
        this.allSent = true;
        this.requests.end();
        return;
      }
      if (this.heldBytes === 0) this.heldSince = performance.now();
      this.context.budget.take(this, data.length);
      this.heldBytes += data.length;
      // Messages in the same chunk still arrive after a pause.
      if (!this.requests.send({ bytes: data, isBinary })) this.ws?.pause();
    } catch (error) {
      this.onMistake(error);
    }
  }

  sizeOf({ bytes }: Frame): number {
    return bytes.length;
  }

  read({ bytes, isBinary }: Frame): MessageOrWire {
    const { binding } = this.request;
    if (isBinary && !takesRawBody(binding)) {
      throw badRequest('messages are JSON: send them as text frames');
    }
    const contentType = isBinary ? 'application/octet-stream' : 'text/plain; charset=utf-8';
    return readFrame(this.request, { contentType, bytes }, this.answers.reading);
  }

  onTaken({ bytes }: Frame): void {
    this.heldSince = performance.now();
    this.heldBytes -= bytes.length;
    this.context.budget.giveBack(this, bytes.length);
  }

  onEmpty(): void {
    if (this.context.mistake === undefined) this.ws?.resume();
    else this.open();
  }

  onMistake(error: unknown): void {
    this.call.cancel();
    this.end(error);
  }

  giveUp(error: unknown): void {
    this.onMistake(error);
  }

  /** Forgets the messages that wait. */
  private drop(): void {
    this.requests.stop();
    const bytes = this.heldBytes;
    this.heldBytes = 0;
    this.context.budget.giveBack(this, bytes);
  }

  /** The next message is asked for when this one has left, so that none waits behind the end. */
  onMessage(message: AnswerContent): void {
    this.open();
    const { ws, call } = this;
    if (ws === undefined || this.ended) return;
    const { binding, socket } = this.request;
    try {
      const { bytes } = responseBody(binding, message, this.answers.codecs);
      ws.send(answersRaw(binding) ? bytes : `{"result":${Buffer.from(bytes).toString()}}`);
    } catch (error) {
      call.cancel();
      this.end(error);
      return;
    }
    if (socket.writableNeedDrain) socket.once('drain', () => call.read());
    else call.read();
  }

  onEnd(end: CallEnd): void {
    const { status } = end;
    if (status.code === GrpcStatus.OK) {
      this.end(undefined);
      return;
    }
    const { exposeServerErrors } = this.answers.options;
    const failure = failureOf(end, exposeServerErrors);
    if (this.ws === undefined) this.refuse(failure, status.metadata);
    else this.end(failure);
  }

  /** Denied in time: an answer in plain HTTP. */
  private refuse(failure: unknown, trailers?: Metadata): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.admission);
    const { res } = this.request;
    res.off('close', this.cancel);
    this.answers.setMetadata(res, this.headers, 'grpc-metadata-');
    this.answers.setMetadata(res, trailers, 'grpc-trailer-');
    this.answers.refuse(res, failure);
  }

  private end(error: unknown): void {
    if (this.ended) return;
    this.open();
    if (this.ended) return;
    this.ended = true;
    clearInterval(this.heartbeat);
    this.drop();
    const { ws } = this;
    // A client's answer to the close would not be read otherwise.
    ws?.resume();
    if (error === undefined) {
      ws?.close(NORMAL, 'OK');
      return;
    }
    const { code, text } = this.answers.failure(error);
    ws?.send(`{"error":${text}}`);
    ws?.close(PRIVATE_CODE + code, codeName(code));
  }

  /** Pings, and gives up a client that has not been heard of since the last time. */
  private beat(ws: WebSocket): void {
    // Nothing is read while the server lags behind, and a slow reader has yet to see the ping.
    if (this.alive || ws.isPaused || ws.bufferedAmount > 0) {
      this.alive = false;
      ws.ping();
    } else ws.terminate();
  }
}

/** The headers that were set for the handshake's answer. */
function headerLines(res: ServerResponse): string[] {
  return Object.entries(res.getHeaders()).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}: ${one}`),
  );
}
