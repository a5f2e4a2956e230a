import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Code,
  type StatusDetail,
  StatusError,
  httpStatusOf,
  isCode,
  isStatusError,
  redactMessage,
} from '@apix/contracts';
import { noteHandler, noteRequestError, reachedHandler } from '@apix/contracts/internal';
import { JsonCodec } from '@apix/proto/core';
import { type Registry, create } from '@bufbuild/protobuf';
import type { Metadata } from '@grpc/grpc-js';
import { problemOf } from '@apix/calls';
import { problemTypeFor } from '@apix/calls/internal';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { HttpRefusal } from '../errors.js';
import { headersOf } from '../metadata/response-headers.js';
import type { ErrorFormat, ResolvedTranscoding } from '../options.js';
import type { ReadingRules, Target } from '../request/read-message.js';
import {
  type AnswerWriter,
  type ResponseBody,
  type ResponseCodecs,
  answerWriter,
} from '../response/response-body.js';
import type { Binding } from '../rules/binding.js';
import { hasAnswer, send, setHeaders } from './send.js';

/** A request whose path led to a binding. */
// A class and no literal: docs/decisions/0522
export class RoutedRequest implements Target {
  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly binding: Binding,
    readonly segments: readonly string[],
    readonly query: string,
  ) {}
}

/** Everything that answers have in common. */
export class Answers {
  readonly codecs: ResponseCodecs;
  readonly reading: ReadingRules;
  /** Writes what an error says next to its text, whatever the options of the gateway's JSON. */
  private readonly details: JsonCodec;
  private readonly writers = new Map<Binding, AnswerWriter | undefined>();

  constructor(
    registry: Registry,
    readonly options: ResolvedTranscoding,
  ) {
    const { json } = options;
    const codec = new JsonCodec(registry, json);
    this.reading = {
      json: codec,
      unknownFields: json.unknownFields ?? 'refuse',
      maxDepth: json.maxDepth ?? 100,
    };
    this.details = new JsonCodec(registry);
    this.codecs = {
      json: codec,
      withDefaults: new JsonCodec(registry, { ...json, emitDefaults: 'values' }),
      protoNames: json.protoNames ?? false,
    };
  }

  /** Writes the answers of a binding where they are sent. */
  writerOf(binding: Binding): AnswerWriter | undefined {
    const known = this.writers.get(binding);
    if (known !== undefined || this.writers.has(binding)) return known;
    const writer = answerWriter(binding, this.codecs);
    this.writers.set(binding, writer);
    return writer;
  }

  /** Answers with an error. Other errors than HttpRefusal and StatusError are not shown to the caller. */
  refuse(res: ServerResponse, error: unknown): void {
    if (hasAnswer(res)) return;
    const { refusal, body } = this.answerTo(error, res.req.headers.accept);
    // A refusal is what the server or a caller did: the server has reported its own failures.
    if (refusal !== error && refusal.httpStatus >= 500) noteRequestError(res.req, error);
    setHeaders(res, Object.entries(refusal.headers));
    if (refusal.httpStatus === 401 && !res.hasHeader('www-authenticate')) {
      res.setHeader('www-authenticate', this.options.challenge);
    }
    send(res, refusal.httpStatus, body);
  }

  /** The status of an error, as {@link refuse} shows it, for a protocol that has its own form of statuses. */
  statusFor(res: ServerResponse, error: unknown): StatusError {
    let found: HttpRefusal;
    try {
      found = refusalOf(error);
      // Code of a user may throw what throws when it is read.
      void `${found.status.code}${found.status.message}${found.status.details.length}`;
    } catch {
      found = internalError(error);
    }
    const { code } = found.status;
    if (found !== error && httpStatusOf(code) >= 500) noteRequestError(res.req, error);
    noteHandler(res.req, { ...reachedHandler(res.req), code });
    if (!res.headersSent) setHeaders(res, Object.entries(found.headers));
    return found.status;
  }

  /** A packed message as JSON for people; undefined for a type that the descriptors do not know. */
  detailValue(detail: StatusDetail): Record<string, unknown> | undefined {
    return detailJson(detail, this.details);
  }

  /** An error's code, and its body as text, for where the headers are gone already. */
  failure(error: unknown): { readonly code: Code; readonly text: string } {
    const { refusal, body } = this.answerTo(error, undefined);
    return { code: refusal.status.code, text: Buffer.from(body.bytes).toString() };
  }

  /** Sets the response headers that represent metadata of the server. */
  setMetadata(
    res: ServerResponse,
    metadata: Metadata | undefined,
    prefix: 'grpc-metadata-' | 'grpc-trailer-',
  ): void {
    setHeaders(res, headersOf(metadata, prefix, this.options.responseHeaders));
  }

  private answerTo(
    error: unknown,
    accept: string | undefined,
  ): { readonly refusal: HttpRefusal; readonly body: ResponseBody } {
    const answer = (refusal: HttpRefusal) => {
      const body = errorBody(refusal, this.options.errors, this.details, accept);
      return { refusal, body };
    };
    try {
      return answer(refusalOf(error));
    } catch {
      // Code of a user may throw what throws again when it is read.
      return answer(internalError(error));
    }
  }
}

function refusalOf(error: unknown): HttpRefusal {
  if (error instanceof HttpRefusal) return error;
  // Not of an object that only passes for a StatusError: as OK it would be answered with 200.
  const isFailure = isStatusError(error) && isCode(error.code) && error.code !== Code.OK;
  return isFailure ? new HttpRefusal(error) : internalError(error);
}

function internalError(error: unknown): HttpRefusal {
  return new HttpRefusal(new StatusError(Code.INTERNAL, 'internal error', { cause: error }));
}

/**
 * Writes an error as a response body.
 *
 * @param accept the header of the request.
 */
export function errorBody(
  refusal: HttpRefusal,
  format: ErrorFormat,
  json: JsonCodec,
  accept?: string,
): ResponseBody {
  const { status: error, httpStatus } = refusal;
  const renderDetail = (detail: StatusDetail) => detailJson(detail, json);
  if (format === 'problem') {
    const problem = problemOf(error, { status: httpStatus, renderDetail });
    return { contentType: problemTypeFor(accept), bytes: Buffer.from(JSON.stringify(problem)) };
  }
  const details = error.details.map((detail) => renderDetail(detail) ?? rawDetail(detail));
  const status = { code: error.code, message: error.message, details };
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(status)) };
}

/** A packed message as ProtoJSON, without what is not to be shown; undefined for a type that the registry does not know. */
function detailJson(detail: StatusDetail, json: JsonCodec): Record<string, unknown> | undefined {
  try {
    const any = create(AnySchema, { typeUrl: detail.typeUrl, value: detail.value });
    return json.toShownValue(AnySchema, any) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function rawDetail(detail: StatusDetail): Record<string, unknown> {
  const { typeUrl, value } = redactMessage(detail) as { typeUrl: string; value: unknown };
  const shown = value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  return { '@type': typeUrl, value: shown };
}
