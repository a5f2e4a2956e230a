import { constants } from 'node:http2';
import { type ServerInterceptor, status } from '@grpc/grpc-js';
import { type ConnectionCall, classOf, patchingCalls } from './connection-call.js';
import { COUNTED_BYTES, type WrittenAnswers, type WrittenCall } from '../flow/written-answers.js';

const ANSWERS = Symbol('apix.grpc.WrittenAnswers');
const WRITES = Symbol('apix.grpc.Writes');

type Patched = ConnectionCall & { [ANSWERS]?: WrittenAnswers; [WRITES]?: Writes };

/** Has {@link WrittenAnswers} hear of each message that a call from the network writes. */
export function watchingWrites(answers: WrittenAnswers): ServerInterceptor {
  return patchingCalls((call: Patched) => {
    call[ANSWERS] = answers;
    call.sendMessage = sendAndNote;
  });
}

function sendAndNote(this: Patched, message: unknown, done: () => void): void {
  classOf(this).sendMessage.call(this, message, done);
  if (this.stream.writableLength < COUNTED_BYTES) return;
  this[ANSWERS]!.note((this[WRITES] ??= new Writes(this)));
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
    // What gRPC takes for RESOURCE_EXHAUSTED (PROTOCOL-HTTP2.md, Errors).
    this.#call.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}
