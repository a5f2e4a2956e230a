import type { IncomingMessage, ServerResponse } from 'node:http';
import { Code, StatusError } from '@apix/contracts';
import type { Message, Registry } from '@bufbuild/protobuf';
import type { Caller } from '../call/caller.js';
import { Refusal, badRequest } from '../errors.js';
import { requestIdOf, requestMetadata } from '../metadata/request-metadata.js';
import { parseGrpcTimeout } from '../metadata/timeout.js';
import type { ResolvedTranscoding } from '../options.js';
import { type RawBody, readBody, takesRawBody } from '../request/body.js';
import { fillFieldMask } from '../request/field-mask.js';
import { applyPath } from '../request/path.js';
import { isForm, readForm } from '../request/form.js';
import { applyParameters, parseParameters } from '../request/query.js';
import type { Binding } from '../rules/binding.js';
import { Answers, type RoutedRequest } from './answer.js';
import { answerStream } from './answer-stream.js';
import { answerUnary } from './answer-unary.js';
import { assertJson, assertNotCompressed } from './media-type.js';
import { announcesBody, readRequestBody } from './read-request-body.js';

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

  constructor(
    private readonly callerOf: () => Caller,
    registry: Registry,
    private readonly options: ResolvedTranscoding,
  ) {
    this.answers = new Answers(registry, options);
  }

  /** Serves one request; whatever happens becomes its answer. */
  async serve(request: RoutedRequest): Promise<void> {
    const { req, res, binding } = request;
    const { method, fullName } = binding;
    this.count(res);
    const requestId = requestIdOf(req);
    res.setHeader('x-request-id', requestId);
    try {
      const metadata = requestMetadata(req, requestId, this.options);
      const timeoutMs = this.timeoutOf(req, binding.method.methodKind === 'unary');
      const answer = answerOf(request);
      const message = await this.readMessage(request);
      if (res.destroyed) return;
      const call = { method, fullName, message, metadata, timeoutMs };
      answer(request, call, this.callerOf(), this.answers);
    } catch (error) {
      this.refuse(res, error);
    }
  }

  /** Answers with an error. */
  refuse(res: ServerResponse, error: unknown): void {
    this.answers.refuse(res, error);
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
    const { req } = request;
    const body = await this.bodyOf(request);
    const unknownFields = this.options.json.unknownFields ?? 'refuse';
    const form = this.takesForm(binding, body);
    const message = form
      ? readForm(binding, body, unknownFields)
      : readBody(binding, body, this.answers.codecs.json);
    if (query !== '') {
      const noun = 'query parameter';
      const parameters = parseParameters(query, noun);
      applyParameters(binding, parameters, message, { unknownFields, noun });
    }
    if (req.method === 'PATCH' && !form) fillFieldMask(binding, body.bytes, message);
    applyPath(binding, segments, message);
    return message;
  }

  private async bodyOf({ req, binding }: RoutedRequest): Promise<RawBody> {
    const contentType = req.headers['content-type'] ?? '';
    if (!announcesBody(req)) return { contentType, bytes: NO_BYTES };
    if (binding.body.kind === 'none') {
      throw badRequest(`request body: ${binding.httpMethod} ${binding.template.source} takes none`);
    }
    assertNotCompressed(req);
    const form = this.options.forms && isForm(contentType);
    if (!takesRawBody(binding) && !form) assertJson(req);
    return { contentType, bytes: await readRequestBody(req, this.options) };
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

const NO_BYTES = new Uint8Array();

/** @throws Refusal, 501, for a method with a stream of requests. */
function answerOf({ binding }: RoutedRequest): typeof answerUnary {
  switch (binding.method.methodKind) {
    case 'unary':
      return answerUnary;
    case 'server_streaming':
      return answerStream;
    case 'client_streaming':
    case 'bidi_streaming':
      throw new Refusal(
        new StatusError(Code.UNIMPLEMENTED, 'this method takes a stream of requests'),
      );
  }
}
