import type { DescMessage, Message, Registry } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { wireCodec } from '../../wire/wire-codec.js';
import type { WireSource } from '../../wire/wire-source.js';
import { NOTHING } from './fragments.js';
import { type JsonWriteOptions, MessageWriters } from './message-writers.js';
import { MessageStreams } from './wire/message-streams.js';

/** Writes ProtoJSON as UTF-8. */
export interface JsonWriter {
  /**
   * Appends a message. Discard what it appended before it threw.
   *
   * @throws Error whose message begins with the place, such as `$.items[3].price`, for a value that the
   *   wire format would refuse or that has no JSON form.
   */
  readonly message: (desc: DescMessage, message: Message, sink: ByteSink) => void;
  /**
   * Appends the content of a source from `at` to its `end` as {@link message} writes the message that
   * protobuf-es reads there, usually without creating it. Throws as it does, and for bytes that are not a
   * message.
   */
  readonly wire: (desc: DescMessage, source: WireSource, sink: ByteSink) => void;
}

const writers = new WeakMap<Registry, Map<string, JsonWriter>>();

/**
 * The writer for some options, which compiles each message type once, however many ask for it.
 *
 * @param registry resolves google.protobuf.Any and extensions.
 */
export function jsonWriter(registry: Registry, options: JsonWriteOptions): JsonWriter {
  let ofRegistry = writers.get(registry);
  if (ofRegistry === undefined) writers.set(registry, (ofRegistry = new Map()));
  const { emitDefaults, protoNames, enumsAsNumbers } = options;
  const key = `${emitDefaults} ${protoNames} ${enumsAsNumbers}`;
  let writer = ofRegistry.get(key);
  if (writer === undefined) ofRegistry.set(key, (writer = compile(registry, options)));
  return writer;
}

function compile(registry: Registry, options: JsonWriteOptions): JsonWriter {
  const messages = new MessageWriters(registry, options);
  const streams = new MessageStreams(registry, options, messages);
  return {
    message: (desc, message, sink) => messages.of(desc)(sink, NOTHING, message, 1),
    wire(desc, source, sink) {
      const { at, end } = source;
      const start = sink.at;
      try {
        streams.of(desc)(source, sink, NOTHING, 1);
      } catch {
        // Why: docs/decisions/0002
        sink.at = start;
        source.at = end;
        source.end = end;
        const message = wireCodec(desc).decodePartial(source.bytes.subarray(at, end));
        messages.of(desc)(sink, NOTHING, message, 1);
      }
    },
  };
}
