import { Mistakes, OptionsError, thrownText } from '@apix/contracts';
import {
  type DescMessage,
  type JsonValue,
  type JsonWriteOptions,
  type Message,
  type Registry,
  fromJson,
  fromJsonString,
  toJson,
} from '@bufbuild/protobuf';
import { JsonDecodeError } from './json-decode-error.js';
import { hasDelicateNumber } from './json-number.js';
import { type LocateOptions, locateError } from './locate-error.js';
import { parseJson } from './parse-json.js';
import { resolveNumbers } from './resolve-numbers.js';
import { withNulls } from './with-nulls.js';

export interface JsonCodecOptions {
  /**
   * Which unset fields are written: `none`; `values` writes zero values, empty lists and maps;
   * `all` writes `null` for unset messages too. Fields of a oneof and `optional` fields are
   * written only when set. Default: `none`.
   */
  readonly emitDefaults?: 'none' | 'values' | 'all';
  /** Write `unit_price` rather than `unitPrice`; both are always read. Default: false. */
  readonly protoNames?: boolean;
  /** Write enum values as numbers rather than names; both are always read. Default: false. */
  readonly enumsAsNumbers?: boolean;
  /** What happens to members that the message does not know. Default: `refuse`. */
  readonly unknownFields?: 'refuse' | 'ignore';
  /** How deep messages may be nested in what is read. Default: 100. */
  readonly maxDepth?: number;
}

/** Each message may stand in an array or a map, and an Any puts its content into `value`. */
const JSON_LEVELS_OF_MESSAGE = 3;

/**
 * ProtoJSON (https://protobuf.dev/programming-guides/json/) in both directions, on top of
 * protobuf-es, for documents that strangers send: every digit of a 64-bit integer survives,
 * members given twice are refused, and an error says where it is.
 */
export class JsonCodec {
  private readonly reading: LocateOptions;
  private readonly writing: Partial<JsonWriteOptions>;
  private readonly nulls: boolean;
  private readonly maxNesting: number;

  /**
   * @param registry resolves google.protobuf.Any and extensions; see `ProtoRegistry.registry`.
   * @throws OptionsError with everything that is wrong with the options.
   */
  constructor(
    private readonly registry: Registry,
    options: JsonCodecOptions = {},
  ) {
    const { emitDefaults, unknownFields, maxDepth, protoNames, enumsAsNumbers } =
      resolveOptions(options);
    this.reading = {
      registry,
      ignoreUnknownFields: unknownFields === 'ignore',
      recursionLimit: maxDepth,
    };
    this.maxNesting = (maxDepth + 1) * JSON_LEVELS_OF_MESSAGE;
    this.writing = {
      registry,
      alwaysEmitImplicit: emitDefaults !== 'none',
      useProtoFieldName: protoNames,
      enumAsInteger: enumsAsNumbers,
    };
    this.nulls = emitDefaults === 'all';
  }

  /**
   * Reads a message from JSON text or its UTF-8 bytes. Anything else is taken for a document
   * that was parsed already, see {@link decodeValue}.
   *
   * @throws JsonDecodeError, an INVALID_ARGUMENT that says where and what.
   */
  decode(desc: DescMessage, json: unknown): Message {
    if (json instanceof Uint8Array) return this.decodeText(desc, textOf(json));
    return typeof json === 'string' ? this.decodeText(desc, json) : this.decodeValue(desc, json);
  }

  /**
   * Reads a message from a parsed document. Members given twice are gone by then, and so are
   * digits beyond 2^53: such a number in a 64-bit field is refused, as text it is fine.
   *
   * @throws JsonDecodeError
   */
  decodeValue(desc: DescMessage, value: unknown): Message {
    const json = resolveNumbers(desc, value, this.registry, this.maxNesting);
    try {
      return fromJson(desc, json, this.reading);
    } catch (error) {
      throw locateError(desc, json, this.reading, error);
    }
  }

  /**
   * Writes a message as JSON text.
   *
   * @throws Error for a message that has no JSON form, such as an Any of an unknown type or a
   * Timestamp beyond the year 9999.
   */
  encode(desc: DescMessage, message: Message): string {
    return JSON.stringify(this.toValue(desc, message));
  }

  /** What {@link encode} writes, before it becomes text. */
  toValue(desc: DescMessage, message: Message): JsonValue {
    try {
      const json = toJson(desc, message, this.writing);
      return this.nulls ? withNulls(desc, json, this.writing.useProtoFieldName === true) : json;
    } catch (error) {
      throw new Error(`proto: ${desc.typeName} cannot be written as JSON: ${thrownText(error)}`, {
        cause: error,
      });
    }
  }

  private decodeText(desc: DescMessage, text: string): Message {
    // Why: docs/decisions/0002
    if (!hasDelicateNumber(text)) {
      try {
        return fromJsonString(desc, text, this.reading);
      } catch {
        // Read again below, slowly: that finds out where the mistake is.
      }
    }
    return this.decodeValue(desc, parseJson(text, this.maxNesting));
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new JsonDecodeError('$', 'invalid UTF-8', { cause: error });
  }
}

function resolveOptions(options: JsonCodecOptions): Required<JsonCodecOptions> {
  const mistakes = new Mistakes();
  const resolved = {
    emitDefaults: mistakes.choice('emitDefaults', options.emitDefaults ?? 'none', [
      'none',
      'values',
      'all',
    ]),
    protoNames: mistakes.flag('protoNames', options.protoNames ?? false),
    enumsAsNumbers: mistakes.flag('enumsAsNumbers', options.enumsAsNumbers ?? false),
    unknownFields: mistakes.choice('unknownFields', options.unknownFields ?? 'refuse', [
      'refuse',
      'ignore',
    ]),
    maxDepth: mistakes.count('maxDepth', options.maxDepth ?? 100, { min: 1 }),
  };
  mistakes.throwIfAny((found) => new OptionsError('proto: JsonCodec', found));
  return resolved;
}
