import type { Buffer } from 'node:buffer';
import { OptionsError, thrownText } from '@apix/contracts';
import {
  checkedOptions,
  choice,
  FLAG,
  type OptionTable,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import type { DescField, DescMessage, JsonValue, Message, Registry } from '@bufbuild/protobuf';
import { type ByteSink, bytesOf } from '../bytes/byte-sink.js';
import { plainMessageOf } from '../transfer/plain-message.js';
import { redactJson } from '../redact/redact-json.js';
import { noteTypes } from '../redact/note-types.js';
import { WireSource } from '../wire/wire-source.js';
import type { JsonReading } from './read/json-progress.js';
import { fieldDocumentReader, jsonReader } from './read/json-reader.js';
import { messageTranscoder } from './read/message-transcoder.js';
import { readJsonDocument } from './read/read-document.js';
import { type JsonWriter, jsonWriter } from './write/json-writer.js';
import { mayLackFields } from '../message/required-fields.js';
import { wireCodec } from '../wire/wire-codec.js';

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

/** The allowed values of the options of a codec. */
export const JSON_CODEC_OPTIONS = {
  emitDefaults: withDefault(choice(['none', 'values', 'all']), 'none'),
  protoNames: withDefault(FLAG, false),
  enumsAsNumbers: withDefault(FLAG, false),
  unknownFields: withDefault(choice(['refuse', 'ignore']), 'refuse'),
  maxDepth: withDefault(wholeNumber({ min: 1 }), 100),
} satisfies OptionTable<JsonCodecOptions>;

/**
 * ProtoJSON (https://protobuf.dev/programming-guides/json/) in both directions, for messages of
 * protobuf-es and for documents from unknown callers: every digit of a 64-bit integer survives,
 * members given twice are refused, and an error says where it is.
 */
export class JsonCodec {
  private readonly reading: JsonReading;
  private readonly writer: JsonWriter;

  /**
   * @param registry resolves google.protobuf.Any and extensions; see `ProtoRegistry.registry`.
   * @throws OptionsError with everything that is wrong with the options.
   */
  constructor(registry: Registry, options: JsonCodecOptions = {}) {
    const { emitDefaults, unknownFields, maxDepth, protoNames, enumsAsNumbers } = checkedOptions(
      JSON_CODEC_OPTIONS,
      options,
      (found) => new OptionsError('proto: JsonCodec', found),
    );
    noteTypes(Array.from(registry, ({ file }) => file));
    this.reading = {
      registry,
      ignoreUnknown: unknownFields === 'ignore',
      maxDepth,
    };
    this.writer = jsonWriter(registry, { emitDefaults, protoNames, enumsAsNumbers });
  }

  /**
   * Reads a message from JSON text or its UTF-8 bytes. Anything else is taken for a document
   * that was parsed already, see {@link decodeValue}.
   *
   * @throws JsonDecodeError, an INVALID_ARGUMENT that says where and what.
   */
  decode(desc: DescMessage, json: unknown): Message {
    return readJsonDocument(json, this.reading, jsonReader(desc));
  }

  /**
   * Reads the value of one field from JSON text or its UTF-8 bytes, into an otherwise empty
   * message. In errors `$` is the value.
   *
   * @throws JsonDecodeError
   */
  decodeField(field: DescField, json: string | Uint8Array): Message {
    return readJsonDocument(json, this.reading, fieldDocumentReader(field));
  }

  /**
   * Reads a message from a parsed document. Members given twice are gone by then, and so are
   * digits beyond 2^53: such a number in a 64-bit field is refused, as text it is fine.
   *
   * @throws JsonDecodeError
   */
  decodeValue(desc: DescMessage, value: unknown): Message {
    const document = typeof value === 'string' ? JSON.stringify(value) : value;
    return readJsonDocument(document, this.reading, jsonReader(desc));
  }

  /**
   * Reads JSON as {@link decode} does, straight into the wire format. The fields have the order of the
   * document.
   *
   * @throws JsonDecodeError, for a required field that is not set as well.
   */
  toWire(desc: DescMessage, json: string | Uint8Array): Buffer {
    const write = messageTranscoder(desc);
    return readJsonDocument(json, this.reading, (source) => bytesOf((sink) => write(source, sink)));
  }

  /**
   * Writes a message as JSON text.
   *
   * @throws Error for a message that has no JSON form, such as an Any of an unknown type or a
   * Timestamp beyond the year 9999.
   */
  encode(desc: DescMessage, message: Message): string {
    return this.encodeBytes(desc, message).toString();
  }

  /** The output of {@link encode} as UTF-8. */
  encodeBytes(desc: DescMessage, message: Message): Buffer {
    return written(desc, (sink) => this.writer.message(desc, message, sink));
  }

  /**
   * The output of {@link encodeBytes} for the message as a receiver would get it over the wire, if that is
   * known without writing it to the wire format: undefined for a message with unknown fields, with a
   * google.protobuf.Any or with values that are not exactly of their type, for one of more than 30 levels,
   * for one that has no JSON form, and for one larger than `maxWireBytes` on the wire.
   */
  // Why: docs/decisions/0201
  tryEncodeBytes(desc: DescMessage, message: Message, maxWireBytes: number): Buffer | undefined {
    try {
      if (!plainMessageOf(desc)(message, 0)) return undefined;
      const json = this.encodeBytes(desc, message);
      return fitsWire(desc, message, json.length, maxWireBytes) ? json : undefined;
    } catch {
      // Whatever the error was: writing to the wire format reports it in its own terms.
      return undefined;
    }
  }

  /** The output of {@link encode}, parsed. */
  toValue(desc: DescMessage, message: Message): JsonValue {
    return JSON.parse(this.encode(desc, message)) as JsonValue;
  }

  /** The same as it may be shown to people: a field with `debug_redact` is `"[REDACTED]"`. */
  toShownValue(desc: DescMessage, message: Message): JsonValue {
    return redactJson(desc, this.toValue(desc, message), this.reading.registry) as JsonValue;
  }

  /**
   * Writes JSON from a message in the wire format, usually without creating the message.
   *
   * @throws Error for bytes that are not such a message, and as {@link encode}.
   */
  fromWire(desc: DescMessage, wire: Uint8Array): Buffer {
    return written(desc, (sink) => this.writer.wire(desc, new WireSource(wire), sink));
  }
}

function written(desc: DescMessage, write: (sink: ByteSink) => void): Buffer {
  try {
    return bytesOf(write);
  } catch (error) {
    throw new Error(`proto: ${desc.typeName} cannot be written as JSON: ${thrownText(error)}`, {
      cause: error,
    });
  }
}

/**
 * The maximum size on the wire of one byte of JSON, counting the comma that the first value does not have.
 * The worst case is a list of google.protobuf.DoubleValue with a tag of five bytes: `1,` in JSON is 15
 * bytes there.
 */
const WIRE_BYTES_OF_JSON = 8;

/**
 * Whether a message takes at most this many bytes on the wire, usually without writing it.
 *
 * @param textBytes the length of its JSON, or of the JSON, path and query that it was read from.
 * @throws ValueError for a required field that is not set.
 */
export function fitsWire(
  desc: DescMessage,
  message: Message,
  textBytes: number,
  maxBytes: number,
): boolean {
  if ((textBytes + 1) * WIRE_BYTES_OF_JSON <= maxBytes && !mayLackFields(desc)) return true;
  return wireCodec(desc).encode(message).length <= maxBytes;
}
