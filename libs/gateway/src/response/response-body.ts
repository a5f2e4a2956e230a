import type { IncomingMessage } from 'node:http';
import type { CallHead, MessageOrWire } from '@apix/calls';
import { Code } from '@apix/contracts';
import { refusesType } from '@apix/contracts/internal';
import { type DescMessage, type Message, create } from '@bufbuild/protobuf';
import { type JsonCodec, wireCodec } from '@apix/proto/core';
import { isRequired, valueIn } from '@apix/proto/internal';
import { type HttpRefusal, refusal } from '../errors.js';
import type { HttpBody } from '../gen/google/api/httpbody_pb.js';
import { isHttpBody } from '../request/body.js';
import type { Binding } from '../rules/binding.js';

const JSON_MEDIA_TYPE = 'application/json';

/** A response body ready to be sent. */
export interface ResponseBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** An answer as the gateway sends it. */
export class WrittenAnswer {
  constructor(readonly bytes: Uint8Array) {}
}

/** The part of an answer that a gateway uses. */
export type AnswerContent = MessageOrWire | WrittenAnswer;

/** Writes answers where they are made. */
export type AnswerWriter = NonNullable<CallHead<WrittenAnswer>['writeAnswer']>;

/** The codec of the gateway's options, and one that writes zero values for the field asked for. */
export interface ResponseCodecs {
  readonly json: JsonCodec;
  readonly withDefaults: JsonCodec;
  /** Whether members are named as in the .proto file. */
  readonly protoNames: boolean;
}

/** Whether the answers of a binding are raw bytes, whose media type the server says. */
export function answersRaw({ method, responseField }: Binding): boolean {
  return isHttpBody(responseField === undefined ? method.output : responseField.message);
}

/**
 * Writes the messages of a binding where they are sent; undefined where the body is not the JSON of the
 * whole message.
 */
export function answerWriter(binding: Binding, { json }: ResponseCodecs): AnswerWriter | undefined {
  const { method, responseField } = binding;
  if (responseField !== undefined || isHttpBody(method.output)) return undefined;
  return jsonAnswerWriter(method.output, json);
}

/** Writes messages as JSON where they are sent. */
export function jsonAnswerWriter(desc: DescMessage, json: JsonCodec): AnswerWriter {
  return (message, maxBytes) => {
    const bytes = json.tryEncodeBytes(desc, message, maxBytes);
    return bytes && new WrittenAnswer(bytes);
  };
}

/** The JSON of a message, wherever it is written. */
export function jsonAnswerBytes(
  desc: DescMessage,
  answer: AnswerContent,
  json: JsonCodec,
): Uint8Array {
  if (answer instanceof WrittenAnswer) return answer.bytes;
  return answer instanceof Uint8Array
    ? json.fromWire(desc, answer)
    : json.encodeBytes(desc, answer);
}

/** Writes a response message as a binding's response body. */
export function responseBody(
  binding: Binding,
  answer: AnswerContent,
  codecs: ResponseCodecs,
): ResponseBody {
  if (answer instanceof WrittenAnswer) return { contentType: JSON_MEDIA_TYPE, bytes: answer.bytes };
  const { method, responseField } = binding;
  const isRaw = answersRaw(binding);
  if (!isRaw && responseField === undefined) {
    const bytes = jsonAnswerBytes(method.output, answer, codecs.json);
    return { contentType: JSON_MEDIA_TYPE, bytes };
  }
  const message = answer instanceof Uint8Array ? wireCodec(method.output).decode(answer) : answer;
  const raw = responseField === undefined ? message : valueIn(message, responseField);
  if (isRaw) {
    const { contentType, data } = (raw ?? { contentType: '', data: new Uint8Array() }) as HttpBody;
    return { contentType: mediaType(contentType), bytes: data };
  }
  const text = JSON.stringify(fieldValue(binding, message, codecs));
  return { contentType: JSON_MEDIA_TYPE, bytes: Buffer.from(text) };
}

/** The field's JSON: as the message would have it under its name without the fields that it may lack. */
function fieldValue(binding: Binding, message: Message, codecs: ResponseCodecs): unknown {
  const { responseField: field, method } = binding;
  if (field === undefined) return undefined;
  const alone = create(method.output) as Message & Record<string, unknown>;
  for (const { oneof, localName } of [...method.output.fields.filter(isRequired), field]) {
    const slot = oneof?.localName ?? localName;
    alone[slot] = (message as Message & Record<string, unknown>)[slot];
  }
  const name = codecs.protoNames ? field.name : field.jsonName;
  const memberOf = (json: JsonCodec): unknown =>
    (json.toValue(method.output, alone) as Record<string, unknown>)[name];
  return memberOf(codecs.json) ?? memberOf(codecs.withDefaults) ?? null;
}

/** A type that a server chose, if it is valid in a header. */
function mediaType(contentType: string): string {
  return /^[\t -~]+$/.test(contentType) ? contentType : 'application/octet-stream';
}

/**
 * Refuses a request whose answer would be JSON if its caller does not want that, before it does anything.
 *
 * @throws HttpRefusal, 406, for an `Accept` that gives JSON the weight 0.
 */
export function assertTakesJson(req: IncomingMessage): void {
  if (refusesType(req.headers.accept, JSON_MEDIA_TYPE)) throw notAcceptable([JSON_MEDIA_TYPE]);
}

/** A 406 for a caller who refuses every form that there is. */
export function notAcceptable(mediaTypes: readonly string[]): HttpRefusal {
  const message = `Accept refuses ${mediaTypes.join(' and ')}: there is no other form`;
  return refusal(Code.INVALID_ARGUMENT, message, { httpStatus: 406 });
}
