import type { IncomingMessage } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import { Code, StatusError } from '@apix/contracts';
import { HttpRefusal } from '../errors.js';

export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly bodyTimeoutMs: number;
}

/**
 * Whether a request announces a body at all. An HTTP/2 request without a length may turn out to
 * have none: it only says whether its headers were all there is.
 */
export function announcesBody(req: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': chunked } = req.headers;
  if (length !== undefined && chunked === undefined) return Number(length) > 0;
  return chunked !== undefined || isOpenEnded(req);
}

/** Whether a request of HTTP/2 may have a body whose length nobody has told. */
export function isOpenEnded(req: IncomingMessage): boolean {
  const { stream } = req as { stream?: ServerHttp2Stream };
  return (
    req.httpVersionMajor >= 2 &&
    req.headers['content-length'] === undefined &&
    stream?.endAfterHeaders !== true
  );
}

/**
 * Reads a request body, of which never more than the limit is kept in memory.
 *
 * @throws HttpRefusal: 413 beyond the limit, 408 when it takes too long; both close the connection.
 */
export function readRequestBody(req: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limits.maxBodyBytes) {
    return Promise.reject(tooLarge(limits));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError);
      end();
    };
    const fail = (refusal: HttpRefusal): void =>
      settle(() => {
        req.pause();
        reject(refusal);
      });
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limits.maxBodyBytes) fail(tooLarge(limits));
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks, size)));
    const onError = (): void =>
      fail(new HttpRefusal(new StatusError(Code.CANCELLED, 'the request ended before its body')));
    const timer = setTimeout(() => fail(tooSlow(limits)), limits.bodyTimeoutMs);
    req.on('data', onData).on('end', onEnd).on('error', onError).on('close', onError);
  });
}

function tooLarge({ maxBodyBytes }: BodyLimits): HttpRefusal {
  const message = `request body: more than ${maxBodyBytes} bytes`;
  return new HttpRefusal(new StatusError(Code.RESOURCE_EXHAUSTED, message), {
    httpStatus: 413,
    headers: { connection: 'close' },
  });
}

function tooSlow({ bodyTimeoutMs }: BodyLimits): HttpRefusal {
  const message = `request body: not complete after ${bodyTimeoutMs} ms`;
  return new HttpRefusal(new StatusError(Code.DEADLINE_EXCEEDED, message), {
    httpStatus: 408,
    headers: { connection: 'close' },
  });
}
