import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call, CallEnd } from '@apix/calls';
import { isKnownEtag } from '@apix/contracts/internal';
import { type Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import { successStatus } from '../metadata/response-headers.js';
import {
  type AnswerContent,
  type ResponseBody,
  answersRaw,
  assertTakesJson,
  responseBody,
} from '../response/response-body.js';
import { failureOfOne } from '../upstream/call-failure.js';
import { type RequestOutcome, RequestSender } from '../upstream/request-sender.js';
import type { RequestSource } from '../upstream/request-source.js';
import type { AnswerListener, UpstreamHead, Upstream } from '../upstream/upstream.js';
import type { Answers, RoutedRequest } from './answer.js';
import { compressorFor, isWorthCompressing } from './protocols/coding.js';
import { send } from './send.js';

/** Makes a unary call and answers with its outcome; a caller who goes away cancels it. */
export function answerUnary(
  request: RoutedRequest,
  head: UpstreamHead,
  source: RequestSource,
  upstream: Upstream,
  answers: Answers,
): void {
  const { req, binding } = request;
  // What is written as JSON where it is made is JSON.
  if (head.writeAnswer !== undefined || !answersRaw(binding)) assertTakesJson(req);
  new UnaryAnswer(request, answers).start(upstream, head, source);
}

class UnaryAnswer implements AnswerListener, RequestOutcome {
  private call!: Call;
  private sender: RequestSender | undefined;
  private headers: Metadata | undefined;
  private message: AnswerContent | undefined;
  private tooMany = false;
  private isOver = false;
  private readonly cancel = (): void => {
    this.sender?.stop();
    this.call.cancel();
  };

  constructor(
    private readonly request: RoutedRequest,
    private readonly answers: Answers,
  ) {}

  start(upstream: Upstream, head: UpstreamHead, source: RequestSource): void {
    const call = upstream.open(head, this);
    this.call = call;
    this.request.res.once('close', this.cancel);
    if (source.message === undefined) {
      this.sender = new RequestSender(call, this);
      this.sender.start(source);
    } else {
      call.send(source.message, { textBytes: source.textBytes });
      call.halfClose();
    }
    call.read();
  }

  onHeaders(headers: Metadata): void {
    this.headers = headers;
  }

  onMessage(message: AnswerContent): void {
    if (this.message === undefined) {
      this.message = message;
      // Otherwise the status would wait behind a second one for as long as the deadline allows.
      this.call.read();
    } else {
      this.tooMany = true;
      this.call.cancel();
    }
  }

  onUnreadable(error: unknown): void {
    if (this.leave()) this.answers.refuse(this.request.res, error);
  }

  onEnd(end: CallEnd): void {
    const blame = this.sender?.end(end);
    if (blame !== undefined) {
      this.onUnreadable(blame.error);
      return;
    }
    if (!this.leave()) return;
    try {
      this.answer(end);
    } catch (error) {
      this.answers.refuse(this.request.res, error);
    }
  }

  /** Whether there was no end yet: a call that was abandoned still ends as CANCELLED afterwards. */
  private leave(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.request.res.off('close', this.cancel);
    return true;
  }

  private answer(end: CallEnd): void {
    const { answers, headers, message, tooMany } = this;
    const { req, res, binding } = this.request;
    const { exposeServerErrors, compress: wanted } = answers.options;
    const { code, metadata: trailers } = end.status;
    answers.setMetadata(res, headers, 'grpc-metadata-');
    answers.setMetadata(res, trailers, 'grpc-trailer-');
    if (code !== GrpcStatus.OK || tooMany || message === undefined) {
      throw failureOfOne(end, tooMany, exposeServerErrors);
    }
    if (isNotModified(req, res)) {
      // As if there were a body; whether it would be long enough to be compressed is not known here.
      if (wanted) varyByCoding(res);
      send(res, 304, undefined);
      return;
    }
    const httpStatus = successStatus(headers);
    if (httpStatus === 204) {
      send(res, httpStatus, undefined);
      return;
    }
    const body = responseBody(binding, message, answers.codecs);
    if (wanted && isCompressible(body)) {
      sendCompressed(req, res, httpStatus, body).catch((error: unknown) =>
        answers.refuse(res, error),
      );
    } else send(res, httpStatus, body);
  }
}

/** Sends a body in the best coding that the caller accepts (RFC 9110 §12.5.3). */
async function sendCompressed(
  req: IncomingMessage,
  res: ServerResponse,
  httpStatus: number,
  body: ResponseBody,
): Promise<void> {
  const compressor = compressorFor(req.headers['accept-encoding'], CODINGS);
  const bytes = compressor === undefined ? body.bytes : await compressor.pack(body.bytes);
  varyByCoding(res);
  if (compressor !== undefined) {
    res.setHeader('content-encoding', compressor.name);
    weakenEtag(res);
  }
  send(res, httpStatus, { ...body, bytes });
}

/** What browsers and caches in front of them all have. */
const CODINGS: ReadonlySet<string> = new Set(['br', 'gzip']);

const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)|application\/javascript)/;

/** Whether the answer depends on `Accept-Encoding`, which caches must know. */
function isCompressible({ contentType, bytes }: ResponseBody): boolean {
  return isWorthCompressing(bytes) && COMPRESSIBLE.test(contentType);
}

/** Caches keep an answer for each coding, so a 304 must have this header too (RFC 9110 §15.4.5). */
function varyByCoding(res: ServerResponse): void {
  res.appendHeader('vary', 'accept-encoding');
}

/** A strong ETag promises these very bytes, which a coding changes (RFC 9110 §8.8.1). */
function weakenEtag(res: ServerResponse): void {
  // Headers that represent metadata are lists of their values.
  const etags = [res.getHeader('etag') ?? []].flat().map(String);
  if (etags.length === 0) return;
  res.setHeader(
    'etag',
    etags.map((etag) => (etag.startsWith('W/') ? etag : `W/${etag}`)),
  );
}

/** Whether the caller has this very representation already (RFC 9110 §13.1.2). */
function isNotModified(req: IncomingMessage, res: ServerResponse): boolean {
  const { 'if-none-match': known } = req.headers;
  const etag = res.getHeader('etag');
  if (known === undefined || etag === undefined) return false;
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  return [etag].flat().some((one) => isKnownEtag(known, String(one)));
}
