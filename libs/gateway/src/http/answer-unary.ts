import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { codingQuality, isKnownEtag } from '@apix/contracts/internal';
import { successStatus } from '../metadata/response-headers.js';
import { type ResponseBody, answersRaw, responseBody } from '../response/response-body.js';
import { failureOf } from '../upstream/call-failure.js';
import { type UnaryOutcome, callUnary } from '../upstream/unary-call.js';
import type { RequestSource } from '../upstream/request-source.js';
import type { UpstreamHead, Upstream } from '../upstream/upstream.js';
import { assertTakesJson } from '../request/content-headers.js';
import type { Answers, RoutedRequest } from './answer.js';
import { send } from './send.js';

/** Makes a unary call and answers with its outcome; a caller who goes away cancels it. */
export function answerUnary(
  request: RoutedRequest,
  head: UpstreamHead,
  source: RequestSource,
  upstream: Upstream,
  answers: Answers,
): void {
  const { req, res, binding } = request;
  if (!answersRaw(binding)) assertTakesJson(req);
  const cancel = callUnary(upstream, head, source, (outcome) => {
    res.off('close', cancel);
    try {
      answer(request, outcome, answers);
    } catch (error) {
      answers.refuse(res, error);
    }
  });
  res.once('close', cancel);
}

function answer(
  { req, res, binding }: RoutedRequest,
  outcome: UnaryOutcome,
  answers: Answers,
): void {
  if ('unreadable' in outcome) throw outcome.unreadable;
  const { end, headers, message } = outcome;
  const { exposeServerErrors, compress: wanted } = answers.options;
  answers.setMetadata(res, headers, 'grpc-metadata-');
  answers.setMetadata(res, end.status.metadata, 'grpc-trailer-');
  if (message === undefined) throw failureOf(end, exposeServerErrors);
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

/** Sends a body in the best coding that the caller accepts (RFC 9110 §12.5.3). */
async function sendCompressed(
  req: IncomingMessage,
  res: ServerResponse,
  httpStatus: number,
  body: ResponseBody,
): Promise<void> {
  const coding = codingFor(req.headers['accept-encoding']);
  const bytes = coding === undefined ? body.bytes : await CODINGS[coding](body.bytes);
  varyByCoding(res);
  if (coding !== undefined) {
    res.setHeader('content-encoding', coding);
    weakenEtag(res);
  }
  send(res, httpStatus, { ...body, bytes });
}

type Coding = 'br' | 'gzip';

const CODINGS: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => {
    const { brotliCompress, constants } = process.getBuiltinModule('node:zlib');
    // Quality 4 costs about what gzip does and is smaller; 11, the default, is for files.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
    return promisify(brotliCompress)(bytes, { params });
  },
  gzip: (bytes) => promisify(process.getBuiltinModule('node:zlib').gzip)(bytes),
};

function codingFor(acceptEncoding: string | undefined): Coding | undefined {
  const [br, gz] = [codingQuality(acceptEncoding, 'br'), codingQuality(acceptEncoding, 'gzip')];
  if (br === 0 && gz === 0) return undefined;
  return br >= gz ? 'br' : 'gzip';
}

/** Below this a compressed body is hardly smaller, in bytes. */
const WORTHWHILE = 1_024;
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)|application\/javascript)/;

/** Whether the answer depends on `Accept-Encoding`, which caches must know. */
function isCompressible({ contentType, bytes }: ResponseBody): boolean {
  return bytes.byteLength >= WORTHWHILE && COMPRESSIBLE.test(contentType);
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
