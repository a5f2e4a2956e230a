import type { IncomingMessage, ServerResponse } from 'node:http';
import { Code, StatusError, isStatusError } from '@apix/contracts';
import { JsonCodec } from '@apix/proto/core';
import type { Message, Registry } from '@bufbuild/protobuf';
import type { Caller, OutgoingCall, UnaryOutcome } from '../call/caller.js';
import { failureOf } from '../call/call-failure.js';
import { Refusal, badRequest } from '../errors.js';
import { requestIdOf, requestMetadata } from '../metadata/request-metadata.js';
import { headersOf } from '../metadata/response-headers.js';
import { parseGrpcTimeout } from '../metadata/timeout.js';
import type { ResolvedTranscoding } from '../options.js';
import { readBody, takesRawBody } from '../request/body.js';
import { applyPath } from '../request/path.js';
import { applyParameters, parseQuery } from '../request/query.js';
import { errorBody } from '../response/error-body.js';
import { type ResponseCodecs, responseBody } from '../response/response-body.js';
import type { Binding } from '../rules/binding.js';
import { assertJson, assertNotCompressed } from './media-type.js';
import { announcesBody, readRequestBody } from './read-request-body.js';
import { send, setHeaders } from './send.js';

/** A request whose path led to a binding. */
export interface RoutedRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly binding: Binding;
  /** Raw path segments, as the route table matched them. */
  readonly segments: readonly string[];
  /** The query string, without `?`. */
  readonly query: string;
}

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
  private readonly codecs: ResponseCodecs;

  constructor(
    private readonly callerOf: () => Caller,
    private readonly registry: Registry,
    private readonly options: ResolvedTranscoding,
  ) {
    const { json } = options;
    this.codecs = {
      json: new JsonCodec(registry, json),
      withDefaults: new JsonCodec(registry, { ...json, emitDefaults: 'values' }),
      protoNames: json.protoNames ?? false,
    };
  }

  /** Serves one request; whatever happens becomes its answer. */
  async serve(request: RoutedRequest): Promise<void> {
    const { req, res } = request;
    this.count(res);
    const requestId = requestIdOf(req);
    res.setHeader('x-request-id', requestId);
    try {
      const metadata = requestMetadata(req, requestId, this.options);
      const timeoutMs = this.timeoutOf(req);
      const message = await this.readMessage(request);
      if (res.destroyed) return;
      const { method, fullName } = request.binding;
      this.callUnary(request, { method, fullName, message, metadata, timeoutMs });
    } catch (error) {
      this.refuse(res, error);
    }
  }

  /** Answers with an error. What is neither a Refusal nor a StatusError is not told. */
  refuse(res: ServerResponse, error: unknown): void {
    const refusal = refusalOf(error);
    if (res.headersSent) return;
    setHeaders(res, Object.entries(refusal.headers));
    if (refusal.httpStatus === 401 && !res.hasHeader('www-authenticate')) {
      res.setHeader('www-authenticate', this.options.challenge);
    }
    send(res, refusal.httpStatus, errorBody(refusal, this.options.errors, this.registry));
  }

  private count(res: ServerResponse): void {
    const { counts } = this;
    counts.active += 1;
    res.once('close', () => {
      counts.active -= 1;
      const status = res.writableFinished ? res.statusCode : 499;
      counts.served.set(status, (counts.served.get(status) ?? 0) + 1);
    });
  }

  private async readMessage(request: RoutedRequest): Promise<Message> {
    const { binding, segments, query } = request;
    const message = await this.readBodyMessage(request);
    if (query !== '') {
      const unknownFields = this.options.json.unknownFields ?? 'refuse';
      applyParameters(binding, parseQuery(query), message, { unknownFields });
    }
    applyPath(binding, segments, message);
    return message;
  }

  private async readBodyMessage({ req, binding }: RoutedRequest): Promise<Message> {
    const { json } = this.codecs;
    const contentType = req.headers['content-type'] ?? '';
    if (!announcesBody(req)) return readBody(binding, { contentType, bytes: NO_BYTES }, json);
    if (binding.body.kind === 'none') {
      throw badRequest(`request body: ${binding.httpMethod} ${binding.template.source} takes none`);
    }
    assertNotCompressed(req);
    if (!takesRawBody(binding)) assertJson(req);
    const bytes = await readRequestBody(req, this.options);
    return readBody(binding, { contentType, bytes }, json);
  }

  private timeoutOf(req: IncomingMessage): number {
    const { 'grpc-timeout': asked } = req.headers;
    const { timeoutMs, maxTimeoutMs } = this.options;
    const wanted = typeof asked === 'string' ? parseGrpcTimeout(asked) : timeoutMs;
    return Math.min(wanted, maxTimeoutMs);
  }

  private callUnary({ req, res, binding }: RoutedRequest, call: OutgoingCall): void {
    const cancel = this.callerOf().unary(call, (outcome) => {
      res.off('close', cancel);
      try {
        this.answer(req, res, binding, outcome);
      } catch (error) {
        this.refuse(res, error);
      }
    });
    // The caller went away: nobody waits for the answer any more.
    res.once('close', cancel);
  }

  private answer(
    req: IncomingMessage,
    res: ServerResponse,
    binding: Binding,
    outcome: UnaryOutcome,
  ): void {
    const { status, headers, message, answered } = outcome;
    const { responseHeaders, exposeServerErrors } = this.options;
    setHeaders(res, headersOf(headers, 'grpc-metadata-', responseHeaders));
    setHeaders(res, headersOf(status.metadata, 'grpc-trailer-', responseHeaders));
    if (message === undefined) {
      throw failureOf(status, answered, exposeServerErrors);
    }
    if (isNotModified(req, res)) send(res, 304, undefined);
    else send(res, 200, responseBody(binding, message, this.codecs));
  }
}

const NO_BYTES = new Uint8Array();

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

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isStatusError(error)) return new Refusal(error);
  return new Refusal(new StatusError(Code.INTERNAL, 'internal error', { cause: error }));
}
