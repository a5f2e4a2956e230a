import { thrownText } from '@apix/contracts';
import { type DescMessage, fromJson, type JsonValue, type Message } from '@bufbuild/protobuf';
import type { Authorizer } from '../decide/authorizer.js';
import type { GivenRecord } from '../decide/admission.js';
import { UsageError } from './command.js';

/** A request and its record in JSON. */
export interface JsonRecord {
  readonly request?: unknown;
  readonly resource?: unknown;
}

/**
 * The messages that conditions read; undefined without a request.
 *
 * @throws UsageError for JSON that is not such a message, and for a record that the method does not declare.
 */
export function givenRecord(
  authorizer: Authorizer,
  method: string,
  { request, resource }: JsonRecord,
): GivenRecord | undefined {
  const types = authorizer.typesOf(method);
  if (resource !== undefined && (types?.resource === undefined || request === undefined)) {
    throw new UsageError(
      `resource: needs a request, and a method whose conditions read a resource`,
    );
  }
  if (request === undefined || types === undefined) return undefined;
  return {
    request: messageIn('request', types.input, request),
    ...(resource !== undefined && {
      resource: messageIn('resource', types.resource!, resource),
    }),
  };
}

/** An answer of a method in JSON. @throws UsageError for JSON that is not one. */
export function givenAnswer(
  authorizer: Authorizer,
  method: string,
  json: unknown,
): Message | undefined {
  const output = authorizer.outputOf(method);
  return json === undefined || output === undefined ? undefined : messageIn('answer', output, json);
}

function messageIn(what: string, desc: DescMessage, json: unknown): Message {
  try {
    return fromJson(desc, json as JsonValue);
  } catch (error) {
    throw new UsageError(`${what}: is not a ${desc.typeName}: ${thrownText(error)}`, {
      cause: error,
    });
  }
}
