import { status } from '@grpc/grpc-js';
import type { Http2ServerStream } from '@apix/http2';
import { noteCompressed } from '../compression/was-compressed.js';
import type { SentStatus } from '../in-process/handler-call.js';
import { decompressRequest } from './compression.js';
import { MESSAGE_HEAD_BYTES, MessageBytes, RequestTooLarge } from './message-bytes.js';

/** The flag before a message (gRPC over HTTP2, Compressed-Flag). */
const COMPRESSED = 1;

/** What the requests of a call are for. */
export interface RequestReceiver {
  onMessage(message: unknown): void;
  onHalfClose(): void;
  /** They cannot be read: nothing follows. */
  refuse(status: SentStatus): void;
}

/** What reading requests needs of their stream. */
type RequestPace = Pick<Http2ServerStream, 'pause' | 'resume' | 'expect'>;

/** How requests are read. */
export interface RequestRules {
  readonly deserialize: (bytes: Buffer) => unknown;
  /** `grpc-encoding`. */
  readonly encoding: string;
  readonly maxBytes: number;
}

/**
 * The requests of one call: a message is decompressed and decoded when it is asked for, and not before. The
 * caller can send as much ahead as the window of its stream.
 */
export class RequestMessages {
  readonly #stream: RequestPace;
  readonly #rules: RequestRules;
  readonly #taker: RequestReceiver;
  readonly #bytes: MessageBytes;
  #isWanted = false;
  /** All of them have come. */
  #isEnded = false;
  #isDelivering = false;
  #isInflating = false;
  #isPaused = false;
  /** Nothing is delivered any more. */
  #isOver = false;

  constructor(stream: RequestPace, rules: RequestRules, taker: RequestReceiver) {
    this.#stream = stream;
    this.#rules = rules;
    this.#taker = taker;
    this.#bytes = new MessageBytes(rules.maxBytes);
  }

  /** Asks for one message, or for their end. */
  read(): void {
    if (this.#isOver) return;
    this.#isWanted = true;
    this.#deliver();
  }

  receive(data: Buffer): void {
    if (this.#isOver) return;
    this.#bytes.add(data);
    this.#deliver();
    // While a message is being decompressed, nothing is delivered.
    this.#bytes.keep();
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#isOver) return;
    try {
      if (!this.#bytes.isWhole) {
        // A handler must not mistake a part of its requests for all of them.
        const details = 'the requests ended in the middle of a message';
        this.#refuse({ code: status.INTERNAL, details, metadata: null });
        return;
      }
    } catch (error) {
      this.#refuseFor(error);
      return;
    }
    this.#isEnded = true;
    this.#deliver();
  }

  stop(): void {
    this.#isOver = true;
    this.#bytes.clear();
  }

  #deliver(): void {
    // A listener asks for the next message while it gets one.
    if (this.#isDelivering || this.#isInflating) return;
    this.#isDelivering = true;
    try {
      while (this.#isWanted && !this.#isInflating && !this.#isOver) {
        const framed = this.#bytes.next();
        if (framed === undefined) {
          if (this.#isEnded) this.#giveEnd();
          break;
        }
        this.#take(framed);
      }
      if (!this.#isOver && !this.#isWanted) this.#bytes.assertNext();
    } catch (error) {
      this.#refuseFor(error);
    } finally {
      this.#isDelivering = false;
    }
    this.#bytes.keep();
    this.#setPace();
  }

  #take(framed: Buffer): void {
    const bytes = framed.subarray(MESSAGE_HEAD_BYTES);
    if (framed[0] === COMPRESSED) this.#inflate(Buffer.from(bytes));
    else this.#give(bytes, false);
  }

  #inflate(bytes: Buffer): void {
    this.#isInflating = true;
    const { encoding, maxBytes } = this.#rules;
    decompressRequest(encoding, bytes, maxBytes, (result) => {
      this.#isInflating = false;
      if (this.#isOver) return;
      if ('refusal' in result) this.#refuse(result.refusal);
      else {
        this.#give(result.bytes, true);
        this.#deliver();
      }
    });
  }

  #give(bytes: Buffer, wasCompressed: boolean): void {
    let message: unknown;
    try {
      message = this.#rules.deserialize(bytes);
    } catch {
      const details = 'Error deserializing request';
      this.#refuse({ code: status.INTERNAL, details, metadata: null });
      return;
    }
    if (wasCompressed) noteCompressed(message);
    this.#isWanted = false;
    this.#taker.onMessage(message);
  }

  #giveEnd(): void {
    this.#isWanted = false;
    this.#isOver = true;
    this.#taker.onHalfClose();
  }

  /** Holds the caller to its window while nobody reads, and asks for all of a message that is waited for. */
  #setPace(): void {
    if (this.#isOver || this.#isEnded) return;
    const isPaused = !this.#isWanted || this.#isInflating;
    if (isPaused !== this.#isPaused) {
      this.#isPaused = isPaused;
      if (isPaused) this.#stream.pause();
      else this.#stream.resume();
    }
    if (!isPaused) this.#stream.expect(this.#bytes.missing);
  }

  #refuseFor(error: unknown): void {
    if (!(error instanceof RequestTooLarge)) throw error;
    this.#refuse({ code: status.RESOURCE_EXHAUSTED, details: error.message, metadata: null });
  }

  #refuse(given: SentStatus): void {
    this.stop();
    this.#taker.refuse(given);
  }
}
