import { Code } from '@apix/contracts';
import { type HttpRefusal, badRequest, refusal } from '../../errors.js';
import type { BodyContent, ReadRequest } from '../announced-request.js';
import { Base64Reader } from './base64-text.js';
import { MessageTooLarge, assertCoding, decompressed, isIdentity } from './coding.js';
import type { MessageCodec } from './message-codec.js';
import { FRAME_HEAD_BYTES, type RpcFrame, RpcFrameReader } from './message-frames.js';
import type { RequestForm } from './protocol.js';

/** How the one message of a request is read. */
export interface MessageRules {
  readonly codec: MessageCodec;
  /** The largest message, in bytes, once it is decompressed. */
  readonly maxBytes: number;
  /** Whether the message may be bytes as the wire has them. */
  readonly asWire: boolean;
}

/** As much is decompressed for a caller who may not be let in, in bytes. */
export const AHEAD_BYTES = 64 * 1024;

/** Characters of base64 that stand for so many bytes, with padding. */
const BASE64_OF_THREE = 4;

/** The body of a request with one message. */
export function singleRequest(form: RequestForm, rules: MessageRules): BodyContent {
  const { framing, coding, given } = form;
  return {
    maxBytes: bodyLimit(form, rules.maxBytes),
    given,
    check: () => assertCoding(coding),
    read(bytes, isAdmitted): ReadRequest | undefined {
      const frame =
        framing === 'body'
          ? { isCompressed: !isIdentity(coding), bytes }
          : onlyMessage(framing === 'text' ? fromBase64(bytes) : bytes, rules.maxBytes);
      const isCheap = isAdmitted || !frame.isCompressed || rules.maxBytes <= AHEAD_BYTES;
      const plain = isCheap
        ? messageBytes(frame, coding, rules.maxBytes)
        : unpackedWithin(frame, coding, AHEAD_BYTES);
      return plain && rules.codec.read(plain, rules.asWire);
    },
  };
}

/** The message of a frame, for callers who are let in. */
export function messageBytes(
  { isCompressed, bytes }: RpcFrame,
  coding: string,
  maxBytes: number,
): Buffer {
  if (!isCompressed) return bytes;
  try {
    return decompressed(coding, bytes, maxBytes);
  } catch (error) {
    throw error instanceof MessageTooLarge ? tooLargeMessage(error) : error;
  }
}

/** The bytes of a message, if they are no more than so many; undefined otherwise. */
export function unpackedWithin(
  frame: RpcFrame,
  coding: string,
  maxBytes: number,
): Buffer | undefined {
  if (!frame.isCompressed) return frame.bytes.length <= maxBytes ? frame.bytes : undefined;
  if (maxBytes <= 0) return undefined;
  try {
    return decompressed(coding, frame.bytes, maxBytes);
  } catch (error) {
    if (error instanceof MessageTooLarge) return undefined;
    throw error;
  }
}

function onlyMessage(bytes: Buffer, maxBytes: number): RpcFrame {
  const reader = new RpcFrameReader(maxBytes);
  let only: RpcFrame | undefined;
  for (const frame of reader.read(bytes)) {
    if (only !== undefined) throw notOne('more than one request message');
    only = frame;
  }
  reader.end();
  if (only === undefined) throw notOne('no request message');
  return only;
}

/** As gRPC has it (statuscodes.md, "client-side cardinality violation"). */
function notOne(found: string): HttpRefusal {
  return refusal(Code.UNIMPLEMENTED, `request body: ${found}; this method takes one`);
}

function fromBase64(bytes: Buffer): Buffer {
  const text = new Base64Reader();
  const decoded = text.read(bytes);
  text.end();
  return decoded;
}

function tooLargeMessage(error: MessageTooLarge): HttpRefusal {
  return refusal(Code.RESOURCE_EXHAUSTED, error.message);
}

/** How long a body may be whose message has the largest size. */
function bodyLimit({ framing }: RequestForm, maxBytes: number): number {
  if (framing === 'body') return maxBytes;
  const withHead = maxBytes + FRAME_HEAD_BYTES;
  // A client may pad each chunk that it sends: the head alone, at least.
  return framing === 'frames' ? withHead : BASE64_OF_THREE * (Math.ceil(withHead / 3) + 1);
}

/** A request body that must not be there. */
export function noBodyWith(method: string): HttpRefusal {
  return badRequest(`request body: a ${method} has its message in the URL`);
}
