import type { Buffer } from 'node:buffer';
import type { DescMessage, Message } from '@bufbuild/protobuf';
import { type ByteSink, bytesOf } from '../bytes/byte-sink.js';
import { MessageShape } from '../message/message-shape.js';
import { mayLackFields, missingField } from '../message/required-fields.js';
import { noteTypes } from '../redact/note-types.js';
import { within } from '../values/value-error.js';
import type { MessageFiller } from './read/reader.js';
import { messageReader } from './read/message-reader.js';
import { WireError, WireProblem } from './wire-error.js';
import { WireSource } from './wire-source.js';
import { messageWriter } from './write/message-writer.js';

/** Messages of one type to the wire and back. They are those of protobuf-es. */
export class WireCodec {
  readonly #shape: MessageShape;
  readonly #filler: MessageFiller;
  readonly #mayLack: boolean;
  readonly #write: (sink: ByteSink, message: unknown, depth: number) => void;

  constructor(private readonly desc: DescMessage) {
    noteTypes([desc.file]);
    this.#shape = MessageShape.of(desc);
    this.#filler = messageReader(desc);
    this.#mayLack = mayLackFields(desc);
    this.#write = messageWriter(desc);
  }

  /**
   * Reads a message. Fields without a name are kept as unknown; nothing of it shares memory with
   * the bytes.
   *
   * @throws WireError for bytes that are not a message of the type, lack a required field, or hold messages
   *   inside one another more than 100 levels deep
   */
  decode(bytes: Uint8Array): Message {
    const message = this.decodePartial(bytes);
    // Why: docs/decisions/0386
    const place = this.#mayLack ? missingField(this.desc, message) : undefined;
    if (place === undefined) return message;
    const problem = `the required field ${place} is not set`;
    throw new WireError(this.desc.typeName, problem, bytes.length);
  }

  /** Reads a message as {@link decode} does, which may lack required fields. @throws WireError */
  decodePartial(bytes: Uint8Array): Message {
    const message = this.#shape.empty();
    const source = new WireSource(bytes);
    try {
      this.read(source, message);
    } catch (error) {
      if (!(error instanceof WireProblem)) throw error;
      throw new WireError(this.desc.typeName, error.message, source.at, { cause: error });
    }
    return message;
  }

  /**
   * Writes a message.
   *
   * @throws ValueError for a message that is not of the type, or has a value that its field cannot hold.
   *   The error names the place: `shop.v1.Order.lines[2].quantity: expected an integer (int32), got 1.5`
   */
  encode(message: Message): Buffer {
    return bytesOf((sink) => this.write(message, sink));
  }

  /** Reads what is left of a source into a message. */
  read(source: WireSource, message: Message): void {
    this.#filler.read(source, message, 1, 0);
  }

  /** Appends a message to a sink; nothing is said of where it ends. */
  write(message: Message, sink: ByteSink): void {
    try {
      this.#write(sink, message, 1);
    } catch (error) {
      throw within(this.desc.typeName, error);
    }
  }
}

const codecs = new WeakMap<DescMessage, WireCodec>();

/** The codec of a message type. It is made once, from the descriptor. */
export function wireCodec(desc: DescMessage): WireCodec {
  let codec = codecs.get(desc);
  if (codec === undefined) codecs.set(desc, (codec = new WireCodec(desc)));
  return codec;
}
