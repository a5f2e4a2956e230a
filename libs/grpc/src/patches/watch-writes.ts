import { noteFailure } from '@apix/calls/grpc';
import { type ServerInterceptor, status } from '@grpc/grpc-js';
import { type ConnectionCall, classOf, patchingCalls } from './connection-call.js';
import { COUNTED_BYTES, type WrittenAnswers, type WrittenCall } from '../flow/written-answers.js';

const ANSWERS = Symbol('apix.grpc.WrittenAnswers');
const WRITES = Symbol('apix.grpc.Writes');

type Patched = ConnectionCall & { [ANSWERS]?: WrittenAnswers; [WRITES]?: Writes };

/**
 * Reports to {@link WrittenAnswers} each message that a call from the network writes and that waits. A call
 * takes the next message while less than 4 KiB wait, and not only when HTTP/2 has sent the last one: small
 * answers then leave together, and the status with a unary one.
 *
 * Adds to the event of a call the reason why its answer could not be written, too: grpc-js drops the error of the codec
 * and only reports that there was one, also to the stages.
 */
// Why: docs/decisions/0035
export function watchingWrites(answers: WrittenAnswers): ServerInterceptor {
  return patchingCalls((call: Patched) => {
    call[ANSWERS] = answers;
    call.sendMessage = sendAndNote;
    call.serializeMessage = serializeOrNote;
  });
}

function serializeOrNote(this: ConnectionCall, message: unknown): Buffer {
  try {
    return classOf(this).serializeMessage.call(this, message);
  } catch (error) {
    noteFailure(this.metadata, error);
    throw error;
  }
}

function sendAndNote(this: Patched, message: unknown, done: () => void): void {
  const { stream } = this;
  const before = stream.writableLength;
  let isTaken = false;
  classOf(this).sendMessage.call(this, message, () => {
    if (!isTaken) done();
  });
  const waiting = stream.writableLength;
  if (waiting >= COUNTED_BYTES) {
    this[ANSWERS]!.note((this[WRITES] ??= new Writes(this)));
  } else if (waiting > before) {
    isTaken = true;
    done();
  }
  // Else nothing was written: the call has ended.
}

class Writes implements WrittenCall {
  readonly #call: ConnectionCall;

  constructor(call: ConnectionCall) {
    this.#call = call;
  }

  get unsentBytes(): number {
    return this.#call.stream.writableLength;
  }

  onClose(run: () => void): void {
    this.#call.stream.once('close', run);
  }

  overflow(limitBytes: number): void {
    // For the log alone: it would have to wait behind the message.
    const details = `the answers of all calls that wait for their callers exceed ${limitBytes} bytes`;
    this.#call.sendStatus({ code: status.RESOURCE_EXHAUSTED, details, metadata: null });
    // The code that means RESOURCE_EXHAUSTED in gRPC (PROTOCOL-HTTP2.md, Errors).
    const { constants } = process.getBuiltinModule('node:http2');
    this.#call.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}
