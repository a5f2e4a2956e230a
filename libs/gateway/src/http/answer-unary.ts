import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, OutgoingCall, UnaryOutcome } from '../call/caller.js';
import { failureOf } from '../call/call-failure.js';
import { responseBody } from '../response/response-body.js';
import type { Answers, RoutedRequest } from './answer.js';
import { send } from './send.js';

/** Makes a unary call and answers with its outcome; a caller who goes away cancels it. */
export function answerUnary(
  request: RoutedRequest,
  call: OutgoingCall,
  caller: Caller,
  answers: Answers,
): void {
  const { res } = request;
  const cancel = caller.unary(call, (outcome) => {
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
  const { status, headers, message, answered } = outcome;
  answers.setMetadata(res, headers, 'grpc-metadata-');
  answers.setMetadata(res, status.metadata, 'grpc-trailer-');
  if (message === undefined) {
    throw failureOf(status, answered, answers.options.exposeServerErrors);
  }
  if (isNotModified(req, res)) send(res, 304, undefined);
  else send(res, 200, responseBody(binding, message, answers.codecs));
}

/** Whether the caller has this very representation already (RFC 9110 §13.1.2). */
function isNotModified(req: IncomingMessage, res: ServerResponse): boolean {
  const { 'if-none-match': known } = req.headers;
  const etag = res.getHeader('etag');
  if (known === undefined || etag === undefined) return false;
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  const current = opaque(String(etag));
  return known.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === current);
}
