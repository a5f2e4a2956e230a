import { Buffer } from 'node:buffer';
import type { CallHead, MessageOrWire } from '@apix/calls';
import { JsonCodec, JsonDecodeError } from '@apix/proto/core';
import { mayHoldRedacted, missingField, withoutRedacted } from '@apix/proto/internal';
import { type DescMessage, type Message, type Registry, create } from '@bufbuild/protobuf';
import { memberSpans } from '../rpc/json-members.js';
import { WRAPPED_MEMBER } from '../schema/tool-schema.js';
import type { Tool } from '../tools/tool.js';

/** An answer that was written where it was made. */
export class WrittenJson {
  constructor(readonly bytes: Buffer) {}
}

/** Arguments that were read, and how long their text was. */
export interface ToolArguments {
  readonly message: Message;
  readonly textBytes: number;
}

type WriteJson = CallHead<WrittenJson>['writeAnswer'] & object;

/** Reads arguments and writes answers: strictly, losslessly, and without fields that have `debug_redact`. */
export class AnswerJson {
  readonly #codec: JsonCodec;
  readonly #registry: Registry;
  readonly #maxDepth: number;
  readonly #writers = new WeakMap<DescMessage, WriteJson>();

  constructor(registry: Registry, maxDepth: number) {
    this.#codec = new JsonCodec(registry, { maxDepth });
    this.#registry = registry;
    this.#maxDepth = maxDepth;
  }

  /**
   * @param json undefined: no arguments were given.
   * @throws JsonDecodeError, with the place of the mistake.
   */
  read({ method: { input }, wrapsInput }: Tool, json: Buffer | undefined): ToolArguments {
    const isAbsent = json === undefined || json.equals(NULL);
    const document = isAbsent ? EMPTY : wrapsInput ? this.#unwrapped(json) : json;
    const message = isAbsent ? create(input) : this.#codec.decode(input, document);
    const place = missingField(input, message);
    if (place !== undefined) throw new JsonDecodeError(place, 'the required field is not set');
    return { message, textBytes: document.length };
  }

  /** Writes the answers of a tool where they are made. */
  writerOf({ method: { output } }: Tool): WriteJson {
    let writer = this.#writers.get(output);
    if (writer === undefined) {
      writer = (message, maxBytes) => {
        const json = this.#codec.tryEncodeBytes(output, message, maxBytes);
        return json && new WrittenJson(json);
      };
      this.#writers.set(output, writer);
    }
    return writer;
  }

  /** @throws Error for an answer that has no JSON form. */
  write({ method: { output } }: Tool, answer: MessageOrWire | WrittenJson): Buffer {
    const json = this.#jsonOf(output, answer);
    if (!mayHoldRedacted(output)) return json;
    const sent = withoutRedacted(output, JSON.parse(json.toString()), this.#registry);
    return Buffer.from(JSON.stringify(sent));
  }

  #jsonOf(output: DescMessage, answer: MessageOrWire | WrittenJson): Buffer {
    if (answer instanceof WrittenJson) return answer.bytes;
    if (answer instanceof Uint8Array) return this.#codec.fromWire(output, answer);
    return this.#codec.encodeBytes(output, answer);
  }

  #unwrapped(json: Buffer): Buffer {
    try {
      const { [WRAPPED_MEMBER]: value, ...others } = Object.fromEntries(
        memberSpans(json, 0, this.#maxDepth + 1).members,
      );
      if (value !== undefined && Object.keys(others).length === 0) {
        return json.subarray(value.from, value.to);
      }
    } catch {
      // What is wrong is said below.
    }
    throw new JsonDecodeError('$', `expected an object with the member "${WRAPPED_MEMBER}" alone`);
  }
}

const NULL = Buffer.from('null');
const EMPTY = Buffer.from('{}');
