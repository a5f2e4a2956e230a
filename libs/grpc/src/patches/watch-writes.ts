import { constants } from 'node:http2';
import {
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import { COUNTED_BYTES, type WrittenAnswers, type WrittenCall } from '../flow/written-answers.js';

/** As much of the call that grpc-js gives to its innermost interceptor as is relied on. */
interface ConnectionCall {
  readonly stream: {
    readonly writableLength: number;
    once(event: 'close', run: () => void): unknown;
    close(code: number): void;
  };
  sendMessage(message: unknown, done: () => void): void;
  sendStatus: ServerInterceptingCallInterface['sendStatus'];
}

const ANSWERS = Symbol('apix.grpc.WrittenAnswers');
const WRITES = Symbol('apix.grpc.Writes');

type Patched = ConnectionCall & { [ANSWERS]?: WrittenAnswers; [WRITES]?: Writes };

/**
 * Has {@link WrittenAnswers} hear of each message that a call from the network writes. It replaces
 * `sendMessage` of this one call, by a function that all calls share. Calls in-process pass as they are.
 */
export function watchingWrites(answers: WrittenAnswers): ServerInterceptor {
  return (_, next) => {
    if ('stream' in next) {
      const call = next as unknown as Patched;
      call[ANSWERS] = answers;
      call.sendMessage = sendAndNote;
    }
    // grpc-js types an interceptor's result by class, and uses only this interface of it.
    return next as unknown as ReturnType<ServerInterceptor>;
  };
}

function sendAndNote(this: Patched, message: unknown, done: () => void): void {
  const own = Object.getPrototypeOf(this) as ConnectionCall;
  own.sendMessage.call(this, message, done);
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
