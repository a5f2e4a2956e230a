import { status } from '@grpc/grpc-js';
import { noteCompressed } from '../compression/was-compressed.js';
import { type ConnectionCall, type QueuedRead, classOf, patchingCalls } from './connection-call.js';
import { HEAD_BYTES, MessageReader } from './message-reader.js';

/** The flag before a message (gRPC over HTTP2, Compressed-Flag). */
const COMPRESSED = 1;

const DECODED = Symbol('apix.grpc.DecodedEntry');

type Patched = ConnectionCall & { [DECODED]?: QueuedRead };

/**
 * Makes a call from the network decompress and decode a message only when its handler asks for one. grpc-js
 * does so at once with all messages of one frame: 16 KiB can be 800 gzip streams, or 64 MiB of messages,
 * before the first one is handled. It also collects a message in as little memory as {@link MessageReader}
 * does, and refuses requests that end in the middle of a message.
 */
export const readingOneByOne = patchingCalls((call: Patched) => {
  call.decoder = new MessageReader(call.maxReceiveMessageSize);
  call.decompressAndMaybePush = decodeIfWanted;
  call.startRead = startReadOfOne;
  call.handleEndEvent = endOfWholeMessages;
});

function decodeIfWanted(this: Patched, entry: QueuedRead): void {
  const isNext = this.isReadPending && this.readQueue[0] === entry;
  if (!isNext || this[DECODED] === entry) return;
  this[DECODED] = entry;
  if (decodedAtOnce(this, entry)) this.maybePushNextMessage();
  else if (isCompressed(entry)) decompress(this, entry);
  else void classOf(this).decompressAndMaybePush.call(this, entry);
}

function isCompressed({ compressedMessage }: QueuedRead): boolean {
  return compressedMessage?.[0] === COMPRESSED;
}

/** grpc-js accepts a message that is marked as compressed even if the call names no encoding. */
function decompress(call: Patched, entry: QueuedRead): void {
  if (call.incomingEncoding === 'identity') {
    const details = 'a message is marked as compressed, and grpc-encoding names no compression';
    call.sendStatus({ code: status.INTERNAL, details, metadata: null });
    return;
  }
  call.maybePushNextMessage = noteAndPush;
  void classOf(call).decompressAndMaybePush.call(call, entry);
}

function noteAndPush(this: Patched): void {
  const [next] = this.readQueue;
  if (next?.type === 'READABLE' && isCompressed(next)) noteCompressed(next.parsedMessage);
  classOf(this).maybePushNextMessage.call(this);
}

/**
 * Whether it was a message without compression, which grpc-js would decode a promise later. A message that
 * cannot be decoded is left to grpc-js, which reports it to the caller.
 */
function decodedAtOnce({ handler }: Patched, entry: QueuedRead): boolean {
  const { compressedMessage: bytes } = entry;
  if (bytes === null || isCompressed(entry)) return false;
  try {
    entry.parsedMessage = handler.deserialize(bytes.subarray(HEAD_BYTES));
  } catch {
    return false;
  }
  entry.type = 'READABLE';
  return true;
}

/** A handler must not mistake a part of its requests for all of them. */
function endOfWholeMessages(this: Patched): void {
  if (this.decoder.isWithinMessage !== true) {
    classOf(this).handleEndEvent.call(this);
    return;
  }
  const details = 'the requests ended in the middle of a message';
  // A connection that is lost ends its requests first; the call is cancelled a moment later.
  setImmediate(() => this.sendStatus({ code: status.INTERNAL, details, metadata: null }));
}

function startReadOfOne(this: Patched): void {
  classOf(this).startRead.call(this);
  const [next] = this.readQueue;
  if (next?.type === 'COMPRESSED') void this.decompressAndMaybePush(next);
}
