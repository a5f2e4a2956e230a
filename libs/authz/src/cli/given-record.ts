import { thrownText } from '@apix/contracts';
import {
  type DescMessage,
  fromJson,
  type JsonReadOptions,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import type { Authorizer } from '../decide/authorizer.js';
import type { GivenRecord } from '../decide/admission.js';
import type { Subject } from '../subject/subject.js';
import { UsageError } from './command.js';

/** A request, its record, and a record that a list may show, in JSON. */
export interface JsonRecord {
  readonly request?: unknown;
  readonly resource?: unknown;
  readonly listed?: unknown;
}

/**
 * The messages that conditions and lists read; undefined without a request and a record of a list, which has an empty
 * request unless one is given.
 *
 * @throws UsageError for JSON that is not such a message, and for a record that the method does not declare.
 */
export function givenRecord(
  authorizer: Authorizer,
  method: string,
  { request, resource, listed }: JsonRecord,
): GivenRecord | undefined {
  const types = authorizer.methods.typesOf(method);
  if (resource !== undefined && (types?.resource === undefined || request === undefined)) {
    throw new UsageError(
      `resource: needs a request, and a method whose conditions read a resource`,
    );
  }
  if (listed !== undefined && types?.listed === undefined) {
    throw new UsageError('listed: needs a method that lists records');
  }
  if (types === undefined || (request === undefined && listed === undefined)) return undefined;
  const options = readOptionsOf(authorizer);
  return {
    request: messageIn('request', types.input, request ?? {}, options),
    ...(resource !== undefined && {
      resource: messageIn('resource', types.resource!, resource, options),
    }),
    ...(listed !== undefined && { listed: messageIn('listed', types.listed!, listed, options) }),
  };
}

/** An answer of a method in JSON. @throws UsageError for JSON that is not one. */
export function givenAnswer(
  authorizer: Authorizer,
  method: string,
  json: unknown,
): Message | undefined {
  const output = authorizer.methods.outputOf(method);
  return json === undefined || output === undefined
    ? undefined
    : messageIn('answer', output, json, readOptionsOf(authorizer));
}

/** What a caller does not get of an answer, as paths such as `items[0].phone`. */
export function hiddenFrom(
  authorizer: Authorizer,
  method: string,
  caller: Subject | null,
  answer: Message,
): string[] {
  const masked = authorizer.mask(answer, caller, method);
  return missingIn(
    answerJson(authorizer, method, answer),
    answerJson(authorizer, method, masked),
    '',
  );
}

/** An answer in JSON, with the names of the `.proto` file. */
export function answerJson(authorizer: Authorizer, method: string, answer: Message): JsonValue {
  const output = authorizer.methods.outputOf(method)!;
  const { types: registry } = authorizer.conditionSetup;
  return toJson(output, answer, { useProtoFieldName: true, registry });
}

/** The paths of what one document has and another one lacks; of a member that is missing as a whole, only its own. */
export function missingIn(whole: JsonValue, shown: JsonValue | undefined, path: string): string[] {
  if (shown === undefined) return [path];
  if (typeof whole !== 'object' || whole === null || typeof shown !== 'object' || shown === null) {
    return [];
  }
  return Object.entries(whole).flatMap(([name, member]) => {
    const below = Array.isArray(whole)
      ? `${path}[${name}]`
      : `${path === '' ? '' : `${path}.`}${name}`;
    const own = Object.hasOwn(shown, name) ? (shown as Record<string, JsonValue>)[name] : undefined;
    return missingIn(member, own, below);
  });
}

/** How JSON of messages is read: an Any may have any message of the descriptors. */
export function readOptionsOf({ conditionSetup }: Authorizer): Partial<JsonReadOptions> {
  return { registry: conditionSetup.types };
}

/** A message of a type in JSON. @throws UsageError for JSON that is not one. */
export function messageIn(
  what: string,
  desc: DescMessage,
  json: unknown,
  options: Partial<JsonReadOptions>,
): Message {
  try {
    return fromJson(desc, json as JsonValue, options);
  } catch (error) {
    throw new UsageError(`${what}: is not a ${desc.typeName}: ${thrownText(error)}`, {
      cause: error,
    });
  }
}
