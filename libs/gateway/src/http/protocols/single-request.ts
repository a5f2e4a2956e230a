import { Code } from '@apix/contracts';
import { type HttpRefusal, badRequest, refusal } from '../../errors.js';
import type { BodyContent, ReadRequest } from '../announced-request.js';
import { Base64Reader } from './base64-text.js';
import { assertCoding, isIdentity } from './coding.js';
import type { MessageCodec } from './message-codec.js';
import { FRAME_HEAD_BYTES, type RpcFrame, RpcFrameReader } from './message-frames.js';
import type { RequestForm } from './protocol.js';
import { AT_ONCE_BYTES, type Unpacker, unpackedWithin } from './unpacker.js';

/** How the one message of a request is read. */
export interface MessageRules {
  readonly codec: MessageCodec;
  /** The largest message, in bytes, once it is decompressed. */
  readonly maxBytes: number;
  /** Whether the message may be bytes as the wire has them. */
  readonly asWire: boolean;
  readonly unpacker: Unpacker;
}

/** Characters of base64 that stand for so many bytes, with padding. */
const BASE64_OF_THREE = 4;

/** The body of a request with one message. */
export function singleRequest(form: RequestForm, rules: MessageRules): BodyContent {
  const { framing, coding, given } = form;
  return {
    maxBytes: bodyLimit(form, rules.maxBytes),
    given,
    check: () => assertCoding(coding),
    read(bytes, progress): ReadRequest | undefined | Promise<ReadRequest> {
      const frame =
        framing === 'body'
          ? { isCompressed: !isIdentity(coding), bytes }
          : onlyMessage(framing === 'text' ? fromBase64(bytes) : bytes, rules.maxBytes);
      const { codec, maxBytes, asWire, unpacker } = rules;
      if (frame.isCompressed && !progress.isAdmitted) {
        const plain = unpackedWithin(frame, coding, Math.min(maxBytes, AT_ONCE_BYTES));
        return plain && codec.read(plain, asWire);
      }
      const plain = unpacker.unpack(frame, coding, maxBytes, () => !progress.isStopped);
      return plain instanceof Promise
        ? plain.then((all) => codec.read(all, asWire))
        : codec.read(plain, asWire);
    },
  };
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
