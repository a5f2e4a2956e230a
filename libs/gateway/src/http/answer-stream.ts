import { type Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import { Code, codeName, endResponse, writePart } from '@apix/contracts';
import { typePreference } from '@apix/contracts/internal';
import type { Call, CallEnd } from '@apix/calls';
import { answersRaw, responseBody } from '../response/response-body.js';
import { failureOf } from '../upstream/call-failure.js';
import { type RequestOutcome, RequestSender } from '../upstream/request-sender.js';
import type { RequestSource } from '../upstream/request-source.js';
import type {
  AnswerContent,
  AnswerListener,
  UpstreamHead,
  Upstream,
} from '../upstream/upstream.js';
import { notAcceptable } from '../request/content-headers.js';
import type { Answers, RoutedRequest } from './answer.js';
import { closeUnlessComplete } from '@apix/calls/internal';

/**
 * A call that has not failed by then has begun, if there is a connection for it: its caller gets the
 * headers before the first message, so that an EventSource opens.
 */
const OPEN_AFTER_MS = 1_000;

/**
 * Makes a server-streaming call and answers with its messages as they come: no faster than the caller reads
 * them, with heartbeats while there are none. A caller that disconnects cancels the call.
 */
export function answerStream(
  request: RoutedRequest,
  head: UpstreamHead,
  source: RequestSource,
  upstream: Upstream,
  answers: Answers,
): void {
  new StreamAnswer(request, answers).start(upstream, head, source);
}

class StreamAnswer implements AnswerListener, RequestOutcome {
  /** undefined: the messages are google.api.HttpBody, whose bytes are sent as they are. */
  private readonly format: StreamFormat | undefined = undefined;
  private call!: Call;
  private upstream!: Upstream;
  private headers: Metadata | undefined;
  private sender: RequestSender | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private opening: NodeJS.Timeout | undefined;
  private isOver = false;
  private readonly cancel = (): void => {
    this.stopTimers();
    this.sender?.stop();
    this.call.cancel();
  };

  constructor(
    private readonly request: RoutedRequest,
    private readonly answers: Answers,
  ) {
    const { req, binding } = request;
    if (answersRaw(binding)) return;
    this.format = streamFormatOf(req.headers.accept);
    if (this.format === undefined) throw notAcceptable(STREAM_TYPES);
  }

  start(upstream: Upstream, head: UpstreamHead, source: RequestSource): void {
    const call = upstream.open(head, this);
    this.call = call;
    this.upstream = upstream;
    this.request.res.once('close', this.cancel);
    if (source.message === undefined) {
      this.sender = new RequestSender(call, this);
      this.sender.start(source);
    } else {
      call.send(source.message, { textBytes: source.textBytes });
      call.halfClose();
      this.onSent();
    }
    call.read();
  }

  /** Nothing is a sign of a call that has begun before the server has its request. */
  onSent(): void {
    this.heartbeat = setTimeout(() => this.beat(), this.answers.options.heartbeat);
    this.opening = setTimeout(() => this.open(), OPEN_AFTER_MS);
  }

  onUnreadable(error: unknown): void {
    this.end(error);
  }

  onHeaders(headers: Metadata): void {
    this.headers = headers;
  }

  /** The next message is asked for when this one has left, so that none waits behind the end. */
  onMessage(message: AnswerContent): void {
    const { binding, res } = this.request;
    try {
      const { contentType, bytes } = responseBody(binding, message, this.answers.codecs);
      this.begin(contentType);
      const hasRoom = this.write(this.format?.message(Buffer.from(bytes).toString()) ?? bytes);
      if (hasRoom) this.call.read();
      else res.once('drain', () => this.call.read());
    } catch (error) {
      this.call.cancel();
      this.end(error);
    }
  }

  onEnd(end: CallEnd): void {
    const { exposeServerErrors } = this.answers.options;
    const blame = this.sender?.end(end);
    if (blame !== undefined) {
      this.end(blame.error);
      return;
    }
    const isOk = end.status.code === GrpcStatus.OK;
    this.end(isOk ? undefined : failureOf(end, exposeServerErrors));
  }

  /** Sends the headers, which is put off until it is known that the call got somewhere. */
  private begin(contentType: string): void {
    const { res } = this.request;
    if (res.headersSent) return;
    this.answers.setMetadata(res, this.headers, 'grpc-metadata-');
    res.setHeader('content-type', this.format?.contentType ?? contentType);
    if (this.format !== undefined) res.appendHeader('vary', 'accept');
    res.setHeader('cache-control', 'no-cache');
    res.setHeader('x-accel-buffering', 'no');
    res.setHeader('x-content-type-options', 'nosniff');
    const whole = res.req.method !== 'HEAD';
    // HTTP/1.0 has no chunks and so no trailers.
    const mayTrail = res.req.httpVersionMajor >= 2 || res.useChunkedEncodingByDefault;
    if (whole && mayTrail) res.setHeader('trailer', 'grpc-status');
    closeUnlessComplete(res);
    res.writeHead(200);
    if (whole) return;
    endResponse(res);
    this.cancel();
  }

  /** False if the caller must first read what was written. */
  private write(chunk: string | Uint8Array): boolean {
    const { res } = this.request;
    if (res.writableEnded) return true;
    this.heartbeat?.refresh();
    return writePart(res, chunk);
  }

  private open(): void {
    if (this.format === undefined || this.request.res.headersSent) return;
    if (this.upstream.state !== 'ready') {
      this.opening?.refresh();
      return;
    }
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
    this.open();
    if (this.request.res.headersSent) this.write(format.heartbeat);
    else this.heartbeat?.refresh();
  }

  private end(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
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
    endResponse(res, this.format?.end(failure?.text));
  }
}

/** How the messages of a server stream become a response body. */
interface StreamFormat {
  readonly contentType: string;
  /** One message; `json` is its JSON text. */
  message(json: string): string;
  /** The heartbeat that keeps an idle connection open, without a meaning. */
  readonly heartbeat: string;
  /** The end: what went wrong as JSON text, or undefined for OK. */
  end(error: string | undefined): string;
}

/**
 * Newline-delimited JSON, with the envelope that grpc-gateway uses: `{"result":…}` a message and
 * `{"error":…}` as the last line of a stream that failed. An empty line is a heartbeat.
 */
const NDJSON: StreamFormat = {
  contentType: 'application/x-ndjson',
  message: (json) => `{"result":${json}}\n`,
  heartbeat: '\n',
  end: (error) => (error === undefined ? '' : `{"error":${error}}\n`),
};

/**
 * Server-Sent Events (HTML Standard §9.2): a message is an event without name; the last event
 * is `status`, so that a client knows not to reconnect. A comment is a heartbeat.
 */
const EVENTS: StreamFormat = {
  contentType: 'text/event-stream',
  message: (json) => `data: ${json}\n\n`,
  heartbeat: ': heartbeat\n\n',
  end: (error) => `event: status\ndata: ${error ?? '{"code":"OK"}'}\n\n`,
};

/** Every form of a stream. */
const STREAM_TYPES: readonly string[] = [NDJSON.contentType, EVENTS.contentType];

/**
 * Server-Sent Events where the caller asks for them, else newline-delimited JSON; undefined if the caller
 * refuses both.
 */
// Why: docs/decisions/0387
function streamFormatOf(accept: string | undefined): StreamFormat | undefined {
  const events = typePreference(accept, EVENTS.contentType);
  const lines = typePreference(accept, NDJSON.contentType);
  if (events === undefined) return lines?.quality === 0 ? EVENTS : NDJSON;
  if (events.quality === 0) return lines?.quality === 0 ? undefined : NDJSON;
  const least = lines?.quality ?? 0;
  const isWanted = events.isNamed ? events.quality >= least : events.quality > least;
  return isWanted ? EVENTS : NDJSON;
}
