import type { AsyncResource } from 'node:async_hooks';
import { isSentAsIs } from '@apix/grpc-client/internal';
import type { Http2ServerStream } from '@apix/http2';
import { COUNTED_BYTES, type WrittenCall } from '../flow/written-answers.js';
import { compressAnswer } from './compression.js';
import { MESSAGE_HEAD_BYTES } from './message-bytes.js';
import type { CallRules } from './wire-carrier.js';

/** Bytes of answers that a call hands over before it waits for its caller. */
const AHEAD_BYTES = 16 * 1024;

/** The answers of one call on their way to its stream, whose headers have been sent. */
export class AnswerMessages implements WrittenCall {
  readonly #rules: Pick<CallRules, 'compression' | 'written'>;
  readonly #stream: Http2ServerStream;
  readonly #scope: AsyncResource;
  readonly #overflow: (limitBytes: number) => void;
  /** The call has been given its status. */
  #isOver = false;
  #onClose: (() => void) | undefined;

  /**
   * @param scope in which the call goes on.
   * @param overflow ends the call, and drops what waits.
   */
  constructor(
    rules: Pick<CallRules, 'compression' | 'written'>,
    stream: Http2ServerStream,
    scope: AsyncResource,
    overflow: (limitBytes: number) => void,
  ) {
    this.#rules = rules;
    this.#stream = stream;
    this.#scope = scope;
    this.#overflow = overflow;
  }

  get unsentBytes(): number {
    return this.#stream.unsentBytes;
  }

  onClose(run: () => void): void {
    this.#onClose = run;
  }

  overflow(limitBytes: number): void {
    this.#overflow(limitBytes);
  }

  /**
   * @param message that the bytes are of.
   * @param isCompressible whether the caller can read it compressed.
   * @param taken called when the next one may be sent: at once while little waits for the caller.
   */
  send(message: unknown, bytes: Buffer, isCompressible: boolean, taken: () => void): void {
    const { compression } = this.#rules;
    const isCompressed = isCompressible && compression !== undefined;
    if (!isCompressed || bytes.length < compression.minBytes || isSentAsIs(message)) {
      this.#write(bytes, false, taken);
      return;
    }
    compressAnswer(compression.algorithm, bytes, (result) => {
      if (this.#isOver) return;
      const isSmaller = result !== undefined && result.length < bytes.length;
      this.#write(isSmaller ? result : bytes, isSmaller, taken);
    });
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#isOver = true;
  }

  /** The stream is over. */
  closed(): void {
    this.#onClose?.();
  }

  #write(bytes: Buffer, isCompressed: boolean, taken: () => void): void {
    const head = Buffer.allocUnsafe(MESSAGE_HEAD_BYTES);
    head[0] = isCompressed ? 1 : 0;
    head.writeUInt32BE(bytes.length, 1);
    const stream = this.#stream;
    stream.write(head);
    const waiting = stream.unsentBytes + bytes.length;
    const waits = waiting > AHEAD_BYTES;
    stream.write(bytes, waits ? () => this.#scope.runInAsyncScope(taken) : undefined);
    if (waiting >= COUNTED_BYTES) this.#rules.written.note(this);
    if (!waits) taken();
  }
}
