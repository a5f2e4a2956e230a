import type { Metadata, ServerInterceptor } from '@grpc/grpc-js';
import { Metadata as GrpcMetadata } from '@grpc/grpc-js';
import type { CompressionOptions } from '@apix/grpc-client/core';
import { isSentAsIs } from '@apix/grpc-client/internal';
import { accepts } from './accepted-encodings.js';
import { type ConnectionCall, classOf, patchingCalls } from './connection-call.js';
import { HEAD_BYTES } from './message-reader.js';

const COMPRESSION = Symbol('apix.grpc.AnswerCompression');

type Patched = ConnectionCall & { [COMPRESSION]?: AnswerCompression };

/** An answer with its head, for `serializeMessage` to pass on. */
class Framed {
  constructor(readonly bytes: Buffer) {}
}

/**
 * Makes a server compress its answers, which grpc-js does not: for callers that state that they can read
 * the algorithm, and if that makes an answer smaller. Code that comes after it sees the length that is
 * sent.
 *
 * It must be the last one to patch calls, because it calls the methods that the others have replaced.
 */
export function compressingAnswers(settings: Required<CompressionOptions>): ServerInterceptor {
  return patchingCalls((call: Patched) => {
    if (!accepts(call.stream, settings.algorithm)) return;
    call[COMPRESSION] = new AnswerCompression(call, settings);
    call.sendMetadata = sendWithEncoding;
    call.serializeMessage = serializeUnlessFramed;
    call.sendMessage = sendCompressed;
  });
}

class AnswerCompression {
  /** As those do it that patched the call before. */
  readonly send: ConnectionCall['sendMessage'];
  readonly serialize: ConnectionCall['serializeMessage'];
  readonly settings: Required<CompressionOptions>;

  constructor(call: ConnectionCall, settings: Required<CompressionOptions>) {
    this.send = call.sendMessage.bind(call);
    this.serialize = call.serializeMessage.bind(call);
    this.settings = settings;
  }

  /** Whether it is worth it; one beyond the limit is for grpc-js to refuse, by its own length. */
  concerns(message: unknown, framed: Buffer, maxBytes: number): boolean {
    const length = framed.length - HEAD_BYTES;
    const isAllowed = maxBytes === -1 || length <= maxBytes;
    return isAllowed && length >= this.settings.minBytes && !isSentAsIs(message);
  }
}

/** Says which algorithm the messages of the call may have, which is too late with the first of them. */
function sendWithEncoding(this: Patched, given: Metadata | null): void {
  const headers = given?.clone() ?? new GrpcMetadata();
  headers.set('grpc-encoding', this[COMPRESSION]!.settings.algorithm);
  classOf(this).sendMetadata.call(this, headers);
}

function serializeUnlessFramed(this: Patched, message: unknown): Buffer {
  return message instanceof Framed ? message.bytes : this[COMPRESSION]!.serialize(message);
}

function sendCompressed(this: Patched, message: unknown, done: () => void): void {
  const compression = this[COMPRESSION]!;
  const { settings } = compression;
  let framed: Buffer;
  try {
    framed = this.serializeMessage(message);
  } catch {
    // It fails again there, and is reported to the caller.
    compression.send(message, done);
    return;
  }
  if (!compression.concerns(message, framed, this.maxSendMessageSize)) {
    compression.send(new Framed(framed), done);
    return;
  }
  const { [settings.algorithm]: compress } = process.getBuiltinModule('node:zlib');
  compress(framed.subarray(HEAD_BYTES), (error, result) => {
    // The call has been given its status meanwhile.
    if (this.stream.writableEnded) return;
    const isSmaller = error === null && result.length + HEAD_BYTES < framed.length;
    compression.send(new Framed(isSmaller ? flagged(result) : framed), done);
  });
}

/** gRPC over HTTP2, Length-Prefixed-Message. */
function flagged(compressed: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(HEAD_BYTES + compressed.length);
  framed.writeUInt8(1, 0);
  framed.writeUInt32BE(compressed.length, 1);
  compressed.copy(framed, HEAD_BYTES);
  return framed;
}
