import { thrownText } from '@apix/contracts';
import {
  type DescExtension,
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonReadOptions,
  type JsonValue,
  type Registry,
  fromJson,
} from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';
import { JsonDecodeError, clip, itemPath, memberPath, quote } from './json-decode-error.js';
import { isJsonObject } from './json-object.js';
import { fieldOf, typeInAny } from './message-fields.js';

export interface LocateOptions extends Partial<JsonReadOptions> {
  readonly registry: Registry;
  readonly ignoreUnknownFields: boolean;
  readonly recursionLimit: number;
}

/**
 * Finds the place in a document that protobuf-es refused, by handing it the parts one by one:
 * the rules stay in one place, and only a failure pays for its address.
 */
export function locateError(
  desc: DescMessage,
  json: JsonValue,
  options: LocateOptions,
  cause: unknown,
): JsonDecodeError {
  return (
    new Search(options).message(desc, json, '$', 1) ??
    new JsonDecodeError('$', problemOf(cause), { cause })
  );
}

class Search {
  constructor(private readonly options: LocateOptions) {}

  message(desc: DescMessage, json: JsonValue, path: string, depth: number): JsonDecodeError | null {
    const { recursionLimit, registry } = this.options;
    if (depth > recursionLimit) {
      return new JsonDecodeError(path, `messages nested deeper than ${recursionLimit} levels`);
    }
    if (desc.typeName === 'google.protobuf.Any') return this.any(desc, json, path, depth);
    if (hasCustomJsonRepresentation(desc)) return this.attempt(desc, json, path);
    if (!isJsonObject(json)) {
      return new JsonDecodeError(path, `expected an object for ${desc.typeName}`);
    }
    const names = new Map<string, string>();
    for (const [key, value] of Object.entries(json)) {
      const inner = memberPath(path, key);
      const field = fieldOf(desc, key, registry);
      const error =
        field === undefined
          ? this.unknown(desc, key, inner)
          : (this.twice(names, field, key, value, inner) ?? this.field(field, value, inner, depth));
      if (error !== null) return error;
    }
    return null;
  }

  private any(
    desc: DescMessage,
    json: JsonValue,
    path: string,
    depth: number,
  ): JsonDecodeError | null {
    const inside = isJsonObject(json) ? typeInAny(json, this.options.registry) : undefined;
    if (!isJsonObject(json) || inside === undefined) return this.attempt(desc, json, path);
    if (!hasCustomJsonRepresentation(inside)) {
      const { '@type': _, ...members } = json;
      return this.message(inside, members, path, depth + 1);
    }
    return 'value' in json
      ? this.message(inside, json['value'], memberPath(path, 'value'), depth + 1)
      : this.attempt(desc, json, path);
  }

  private unknown(desc: DescMessage, key: string, path: string): JsonDecodeError | null {
    if (this.options.ignoreUnknownFields) return null;
    return new JsonDecodeError(path, `${desc.typeName} has no field ${quote(key)}`);
  }

  /** A field by both of its names, or two fields of a oneof. */
  private twice(
    names: Map<string, string>,
    field: DescField | DescExtension,
    key: string,
    value: JsonValue,
    path: string,
  ): JsonDecodeError | null {
    const claims = [`field ${field.name}`];
    const skipped = value === null && field.fieldKind === 'scalar';
    if (field.oneof !== undefined && !skipped) claims.push(`oneof ${field.oneof.name}`);
    for (const claim of claims) {
      const other = names.get(claim);
      if (other !== undefined) {
        return new JsonDecodeError(path, `${quote(other)} already sets the ${claim}`);
      }
      names.set(claim, key);
    }
    return null;
  }

  private field(
    field: DescField | DescExtension,
    json: JsonValue,
    path: string,
    depth: number,
  ): JsonDecodeError | null {
    const { message } = field;
    if (field.fieldKind === 'list' && Array.isArray(json)) {
      if (message === undefined) return this.elements(field, json, path);
      return first(json.entries(), ([index, item]) => {
        const inner = itemPath(path, index);
        return item === null
          ? this.alone(field, [item], inner)
          : this.message(message, item, inner, depth + 1);
      });
    }
    if (field.fieldKind === 'map' && isJsonObject(json)) {
      if (message === undefined) return this.entries(field, json, path);
      return first(Object.entries(json), ([key, value]) => {
        const inner = memberPath(path, key);
        return (
          this.alone(field, { [key]: {} }, inner) ?? this.message(message, value, inner, depth + 1)
        );
      });
    }
    return field.fieldKind === 'message' && json !== null
      ? this.message(field.message, json, path, depth + 1)
      : this.alone(field, json, path);
  }

  private elements(
    field: DescField | DescExtension,
    json: readonly JsonValue[],
    path: string,
  ): JsonDecodeError | null {
    return first(inChunks([...json.entries()]), (chunk) =>
      this.alone(
        field,
        chunk.map(([, item]) => item),
        path,
      ) === null
        ? null
        : first(chunk, ([index, item]) => this.alone(field, [item], itemPath(path, index))),
    );
  }

  private entries(
    field: DescField | DescExtension,
    json: JsonObject,
    path: string,
  ): JsonDecodeError | null {
    return first(inChunks(Object.entries(json)), (chunk) =>
      this.alone(field, Object.fromEntries(chunk), path) === null
        ? null
        : first(chunk, ([key, item]) =>
            this.alone(field, Object.fromEntries([[key, item]]), memberPath(path, key)),
          ),
    );
  }

  /** What protobuf-es says of one field's value, in an otherwise empty message. */
  private alone(
    field: DescField | DescExtension,
    json: JsonValue,
    path: string,
  ): JsonDecodeError | null {
    if (field.kind === 'field') return this.attempt(field.parent, { [field.jsonName]: json }, path);
    return this.attempt(field.extendee, { [field.jsonName]: json }, path);
  }

  private attempt(desc: DescMessage, json: JsonValue, path: string): JsonDecodeError | null {
    try {
      fromJson(desc, json, this.options);
      return null;
    } catch (error) {
      return new JsonDecodeError(path, problemOf(error), { cause: error });
    }
  }
}

function first<T>(
  items: Iterable<T>,
  check: (item: T) => JsonDecodeError | null,
): JsonDecodeError | null {
  for (const item of items) {
    const error = check(item);
    if (error !== null) return error;
  }
  return null;
}

/** Many plain values are tried together, so that only the last few are tried one by one. */
function inChunks<T>(items: readonly T[], size = 256): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** protobuf-es' own words, without the part that the path says better. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return clip(thrownText(error));
  const { cause, message } = error;
  if (cause instanceof Error) return clip(cause.message);
  const [, type, problem] = /^cannot decode (?:message |enum )?(\S+) from JSON:? (.*)$/s.exec(
    message,
  ) ?? [undefined, '', message];
  return clip(IS_VALUE.test(problem) ? `expected ${type}, got ${problem}` : problem);
}

/** How protobuf-es prints a value that it could not use. */
const IS_VALUE = /^(?:".*"|string|object|null|true|false|Array\(\d+\)|-?[\d.e+-]+)$/s;
