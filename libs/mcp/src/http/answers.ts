import type { ServerResponse } from 'node:http';
import { closeUnlessComplete } from '@apix/calls/internal';
import {
  Code,
  endResponse,
  httpStatusOf,
  isCode,
  isStatusError,
  type StatusError,
  writePart,
} from '@apix/contracts';
import { noteRequestError, sendResponse } from '@apix/contracts/internal';
import { refusalText } from '../rpc/answer-text.js';
import { RpcCode, RpcError } from '../rpc/rpc-error.js';
import { idOfError, type RpcId } from '../rpc/rpc-message.js';
import type { ResourceMetadata } from './resource-metadata.js';

type Headers = Readonly<Record<string, string>>;

/** Whether a request has its answer, or nobody to take one. */
function isAnswered(res: ServerResponse): boolean {
  return res.headersSent || res.destroyed;
}

/** Sends a complete answer, as JSON; undefined: one without a body. */
export function sendAnswer(
  res: ServerResponse,
  status: number,
  json: string | undefined,
  headers: Headers = {},
): void {
  if (isAnswered(res)) return;
  closeUnlessComplete(res);
  const common = { 'cache-control': 'no-store', ...headers };
  if (json === undefined) {
    sendResponse(res, status, common);
    return;
  }
  const ofBody = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(json),
    'x-content-type-options': 'nosniff',
  };
  // As text, so that Node writes it together with the headers.
  sendResponse(res, status, { ...common, ...ofBody }, json);
}

/** Sends an error: of the protocol as it is, a status by its code, and any other as an internal error without its text. */
export function sendRefusal(
  res: ServerResponse,
  error: unknown,
  id: RpcId | undefined,
  metadata: ResourceMetadata,
): void {
  const refusal = refusalOf(error, res, metadata);
  if (refusal.status >= 500 && !isAnswered(res)) noteRequestError(res.req, error);
  const text = refusalText(id ?? idOfError(error), refusal);
  sendAnswer(res, refusal.status, text, refusal.headers);
}

function refusalOf(error: unknown, res: ServerResponse, metadata: ResourceMetadata): RpcError {
  if (error instanceof RpcError) return error;
  if (!isStatusError(error) || !isCode(error.code) || error.code === Code.OK) {
    return new RpcError(RpcCode.INTERNAL_ERROR, 'internal error', { status: 500 });
  }
  return ofStatus(error, res, metadata);
}

function ofStatus(
  { code, message }: StatusError,
  { req }: ServerResponse,
  metadata: ResourceMetadata,
): RpcError {
  const status = httpStatusOf(code);
  const challenge = metadata.challenge(req.headers.authorization !== undefined);
  const headers: Headers = status === 401 ? { 'www-authenticate': challenge } : {};
  return new RpcError(RpcCode.REFUSED, message, { status, headers });
}

/** An answer of several messages, as server-sent events. */
export class EventAnswer {
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    this.#res = res;
  }

  /** @param next called when there is room for more. */
  write(json: string, next: () => void): void {
    const res = this.#res;
    if (res.destroyed || res.writableEnded) return;
    if (!res.headersSent) {
      res.statusCode = 200;
      res.setHeader('content-type', 'text/event-stream');
      res.setHeader('cache-control', 'no-store, no-transform');
      res.setHeader('x-accel-buffering', 'no');
      closeUnlessComplete(res);
    }
    if (writePart(res, eventOf(json))) next();
    else res.once('drain', next);
  }

  end(json: string): void {
    const res = this.#res;
    if (!res.destroyed && !res.writableEnded) endResponse(res, eventOf(json));
  }
}

/** JSON has no line feed outside of strings, and none inside of them. */
function eventOf(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}
