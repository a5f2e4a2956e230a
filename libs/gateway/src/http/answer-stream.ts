import type { Message } from '@bufbuild/protobuf';
import {
  type ClientReadableStream,
  type Metadata,
  type StatusObject,
  status as GrpcStatus,
} from '@grpc/grpc-js';
import { Code, codeName } from '@apix/contracts';
import type { Caller, OutgoingCall } from '../call/caller.js';
import { failureOf } from '../call/call-failure.js';
import { isHttpBody } from '../request/body.js';
import { responseBody } from '../response/response-body.js';
import { type StreamFormat, streamFormatOf } from '../response/stream-format.js';
import type { Answers, RoutedRequest } from './answer.js';

/**
 * A call that has not failed by then has begun: its caller gets the headers before the first
 * message, so that an EventSource opens.
 */
const OPEN_AFTER_MS = 1_000;

/**
 * Makes a server-streaming call and answers with its messages as they come: no faster than the
 * caller reads them, with heartbeats while there are none. A caller who goes away cancels the
 * call.
 */
export function answerStream(
  request: RoutedRequest,
  call: OutgoingCall,
  caller: Caller,
  answers: Answers,
): void {
  new StreamAnswer(request, caller.serverStream(call), caller, answers).start();
}

class StreamAnswer {
  /** undefined: the messages are google.api.HttpBody, whose bytes are sent as they are. */
  private readonly format: StreamFormat | undefined;
  private headers: Metadata | undefined;
  private readonly heartbeat: NodeJS.Timeout;
  private readonly opening: NodeJS.Timeout;
  private readonly cancel = (): void => {
    this.stopTimers();
    this.stream.cancel();
  };

  constructor(
    private readonly request: RoutedRequest,
    private readonly stream: ClientReadableStream<Message>,
    private readonly caller: Caller,
    private readonly answers: Answers,
  ) {
    const { req, binding } = request;
    const { responseField, method } = binding;
    const desc = responseField === undefined ? method.output : responseField.message;
    this.format = isHttpBody(desc) ? undefined : streamFormatOf(req.headers.accept);
    this.heartbeat = setTimeout(() => this.beat(), answers.options.heartbeatMs);
    this.opening = setTimeout(() => this.open(), OPEN_AFTER_MS);
  }

  start(): void {
    const { stream } = this;
    this.request.res.once('close', this.cancel);
    stream.on('metadata', (metadata: Metadata) => (this.headers = metadata));
    stream.on('data', (message: Message) => this.send(message));
    // The status event says the same and always comes.
    stream.on('error', () => {});
    stream.on('status', (status: StatusObject) => this.finish(status));
  }

  private send(message: Message): void {
    const { binding } = this.request;
    try {
      const { contentType, bytes } = responseBody(binding, message, this.answers.codecs);
      this.begin(contentType);
      this.write(this.format?.message(Buffer.from(bytes).toString()) ?? bytes);
    } catch (error) {
      this.stream.cancel();
      this.end(error);
    }
  }

  /** Sends the headers, which is put off until it is known that the call got somewhere. */
  private begin(contentType: string): void {
    const { res } = this.request;
    if (res.headersSent) return;
    this.answers.setMetadata(res, this.headers, 'grpc-metadata-');
    res.setHeader('content-type', this.format?.contentType ?? contentType);
    res.setHeader('cache-control', 'no-cache');
    res.setHeader('x-accel-buffering', 'no');
    res.setHeader('x-content-type-options', 'nosniff');
    const whole = res.req.method !== 'HEAD';
    // HTTP/1.0 has no chunks and so no trailers.
    if (whole && res.useChunkedEncodingByDefault) res.setHeader('trailer', 'grpc-status');
    res.writeHead(200);
    if (whole) return;
    res.end();
    this.cancel();
  }

  private write(chunk: string | Uint8Array): void {
    const { res } = this.request;
    if (res.writableEnded) return;
    this.heartbeat.refresh();
    if (res.write(chunk) || this.stream.isPaused()) return;
    this.stream.pause();
    res.once('drain', () => this.stream.resume());
  }

  private open(): void {
    if (this.format === undefined || this.request.res.headersSent) return;
    this.begin(this.format.contentType);
    this.request.res.flushHeaders();
  }

  private stopTimers(): void {
    clearTimeout(this.heartbeat);
    clearTimeout(this.opening);
  }

  private beat(): void {
    const { format } = this;
    if (format === undefined) return;
    this.begin(format.contentType);
    this.write(format.heartbeat);
  }

  private finish(status: StatusObject): void {
    const { exposeServerErrors } = this.answers.options;
    if (status.code === GrpcStatus.OK) this.end(undefined);
    else {
      const answered = this.caller.isAnswered(this.headers, status);
      this.end(failureOf(status, answered, exposeServerErrors));
    }
  }

  private end(error: unknown): void {
    const { res } = this.request;
    this.stopTimers();
    res.off('close', this.cancel);
    if (res.writableEnded || res.destroyed) return;
    if (error !== undefined && !res.headersSent) {
      this.answers.refuse(res, error);
      return;
    }
    this.begin('application/octet-stream');
    if (res.writableEnded) return;
    if (this.format === undefined && error !== undefined) {
      // Bytes have no place for a status: a body cut off is the one sign that it is incomplete.
      res.destroy();
      return;
    }
    const failure = error === undefined ? undefined : this.answers.failure(error);
    const code = codeName(failure?.code ?? Code.OK);
    if (res.hasHeader('trailer')) res.addTrailers({ 'grpc-status': code });
    res.end(this.format?.end(failure?.text) ?? '');
  }
}
