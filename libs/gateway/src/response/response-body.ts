import { type Message, create } from '@bufbuild/protobuf';
import type { JsonCodec } from '@apix/proto/core';
import type { HttpBody } from '../gen/google/api/httpbody_pb.js';
import { isHttpBody } from '../request/body.js';
import type { Binding } from '../rules/binding.js';
import { readField } from '../request/assign.js';

/** A response body ready to be sent. */
export interface ResponseBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** The codec of the gateway's options, and one that writes zero values for the field asked for. */
export interface ResponseCodecs {
  readonly json: JsonCodec;
  readonly withDefaults: JsonCodec;
  /** Whether members are named as in the .proto file. */
  readonly protoNames: boolean;
}

/** Writes a response message as a binding's response body. */
export function responseBody(
  binding: Binding,
  message: Message,
  codecs: ResponseCodecs,
): ResponseBody {
  const { method, responseField } = binding;
  const raw = responseField === undefined ? message : readField(message, responseField);
  if (isHttpBody(responseField === undefined ? method.output : responseField.message)) {
    const { contentType, data } = (raw ?? { contentType: '', data: new Uint8Array() }) as HttpBody;
    return { contentType: mediaType(contentType), bytes: data };
  }
  const text =
    responseField === undefined
      ? codecs.json.encode(method.output, message)
      : JSON.stringify(fieldValue(binding, message, codecs));
  return { contentType: 'application/json', bytes: Buffer.from(text) };
}

/** The field's JSON: what the message would hold under its name, had it no other fields. */
function fieldValue(binding: Binding, message: Message, codecs: ResponseCodecs): unknown {
  const { responseField: field, method } = binding;
  if (field === undefined) return undefined;
  const alone = create(method.output) as Message & Record<string, unknown>;
  const slot = field.oneof?.localName ?? field.localName;
  alone[slot] = (message as Message & Record<string, unknown>)[slot];
  const name = codecs.protoNames ? field.name : field.jsonName;
  const memberOf = (json: JsonCodec): unknown =>
    (json.toValue(method.output, alone) as Record<string, unknown>)[name];
  return memberOf(codecs.json) ?? memberOf(codecs.withDefaults) ?? null;
}

/** A type that a server chose, if it can stand in a header. */
function mediaType(contentType: string): string {
  return /^[\t -~]+$/.test(contentType) ? contentType : 'application/octet-stream';
}
