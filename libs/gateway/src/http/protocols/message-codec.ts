import { wireCodec } from '@apix/proto/core';
import { missingField, MAX_WIRE_DEPTH } from '@apix/proto/internal';
import { isStatusError, thrownText } from '@apix/contracts';
import type { DescMethod } from '@bufbuild/protobuf';
import { badRequest } from '../../errors.js';
import type { Answers } from '../answer.js';
import type { ReadRequest } from '../announced-request.js';
import { type AnswerContent, type UpstreamHead, WrittenAnswer } from '../../upstream/upstream.js';
import type { CodecName } from './protocol.js';
import type { Unpacker } from './unpacker.js';

/** How the messages of a method are read and written. */
export interface MessageCodec {
  /**
   * @param asWire whether the message may be bytes as the wire has them.
   * @throws HttpRefusal for bytes that are not a message.
   */
  read(bytes: Uint8Array, asWire: boolean): ReadRequest;
  /** @throws Error for an answer that has no such form. */
  write(answer: AnswerContent): Uint8Array;
  /** Writes answers where they are made. */
  readonly writeAnswer: UpstreamHead['writeAnswer'];
}

/** How the one message of a request is read. */
// A class and no literal: docs/decisions/0522
export class MessageRules {
  constructor(
    readonly codec: MessageCodec,
    /** The largest message, in bytes, once it is decompressed. */
    readonly maxBytes: number,
    /** Whether the message may be bytes as the wire has them. */
    readonly asWire: boolean,
    readonly unpacker: Unpacker,
  ) {}
}

/** The codecs of the methods of a gateway. */
export class MessageCodecs {
  readonly #made = {
    json: new Map<DescMethod, MessageCodec>(),
    proto: new Map<DescMethod, MessageCodec>(),
  };

  constructor(private readonly answers: Answers) {}

  of(method: DescMethod, name: CodecName): MessageCodec {
    const made = this.#made[name];
    let codec = made.get(method);
    if (codec === undefined) {
      codec = name === 'json' ? jsonMessages(method, this.answers) : wireMessages(method);
      made.set(method, codec);
    }
    return codec;
  }
}

function jsonMessages({ input, output }: DescMethod, answers: Answers): MessageCodec {
  const { json } = answers.codecs;
  // What is nested deeper than the wire has it must be written to it, to be refused.
  const isAsOnWire = answers.reading.maxDepth <= MAX_WIRE_DEPTH;
  return {
    read: (bytes, asWire) =>
      withCause(() => {
        if (asWire) return [json.toWire(input, bytes), undefined];
        const message = json.decode(input, bytes);
        const place = missingField(input, message);
        if (place !== undefined) throw badRequest(`${place}: the required field is not set`, place);
        return [message, isAsOnWire ? bytes.length : undefined];
      }),
    write: (answer) => {
      if (answer instanceof WrittenAnswer) return answer.bytes;
      return answer instanceof Uint8Array
        ? json.fromWire(output, answer)
        : json.encodeBytes(output, answer);
    },
    writeAnswer: (message, maxBytes) => {
      const bytes = json.tryEncodeBytes(output, message, maxBytes);
      return bytes && new WrittenAnswer(bytes);
    },
  };
}

/** Requests are decoded even if their bytes go on, so that a mistake in them is the caller's, wherever the server is. */
function wireMessages({ input, output }: DescMethod): MessageCodec {
  return {
    read: (bytes, asWire) =>
      withCause(() => {
        const message = wireCodec(input).decode(bytes);
        return [asWire ? bytes : message, bytes.length];
      }),
    write: (answer) => {
      if (answer instanceof WrittenAnswer) return answer.bytes;
      return answer instanceof Uint8Array ? answer : wireCodec(output).encode(answer);
    },
    writeAnswer: (message, maxBytes) => {
      try {
        const bytes = wireCodec(output).encode(message);
        return bytes.length <= maxBytes ? new WrittenAnswer(bytes) : undefined;
      } catch {
        // The server reports it in its own terms.
        return undefined;
      }
    },
  };
}

function withCause(read: () => ReadRequest): ReadRequest {
  try {
    return read();
  } catch (error) {
    const problem = isStatusError(error) ? error.message : thrownText(error);
    throw badRequest(`request message: ${problem}`, '', error);
  }
}
