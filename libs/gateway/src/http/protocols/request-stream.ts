import type { IncomingMessage } from 'node:http';
import type { Call, CallEnd, MessageOrWire } from '@apix/calls';
import type { HttpRefusal } from '../../errors.js';
import { type BodyRules, keptBody } from '../announced-request.js';
import type { BodyHolder } from '../body-budget.js';
import { type FrameSource, RequestQueue } from '../../upstream/request-queue.js';
import { ADMISSION_MS, REFUSALS } from '../../upstream/request-sender.js';
import { assertCoding } from './coding.js';
import type { MessageRules } from './message-codec.js';
import type { MessageFraming, FramingReader, RpcFrame } from './protocol.js';
import { AT_ONCE_BYTES, unpackedWithin } from './unpacker.js';

/** A body with messages, and what counts its bytes. */
interface RequestBody {
  readonly req: IncomingMessage;
  readonly framing: MessageFraming;
  /** The name of the coding of compressed messages; '' if there is none. */
  readonly coding: string;
  readonly budget: BodyRules['budget'];
}

/**
 * The messages of a request body as they come, no more than the server takes. None is read before the server has let
 * the caller in, if it says so; on a network it has some time to refuse the call, and until then no more than 64 KiB
 * are read, and mistakes are kept.
 */
export class RpcRequestStream implements FrameSource<RpcFrame>, BodyHolder {
  heldSince = 0;
  #heldBytes = 0;
  private readonly req: IncomingMessage;
  private readonly coding: string;
  private readonly budget: BodyRules['budget'];
  readonly #reader: FramingReader;
  #queue!: RequestQueue<RpcFrame>;
  #hasBegun = false;
  #hasEnded = false;
  #isOver = false;
  #isAdmitted = false;
  #admission: NodeJS.Timeout | undefined;
  #aheadBytes = AT_ONCE_BYTES;
  /** What has to wait until the caller is let in. */
  readonly #early: RpcFrame[] = [];
  #mistake: { readonly error: unknown } | undefined;

  constructor(
    { req, framing, coding, budget }: RequestBody,
    private readonly messages: MessageRules,
    private readonly onWrong: (error: unknown) => void,
  ) {
    this.req = req;
    this.coding = coding;
    this.budget = budget;
    this.#reader = framing.reader(messages.maxBytes);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  start(call: Call): void {
    this.#queue = new RequestQueue(call, this);
    if (call.whenWanted !== undefined) return;
    // A refusal may be there already, unread, after a turn that took long.
    this.#admission = setTimeout(() => setImmediate(() => this.admit()), ADMISSION_MS);
    this.#begin();
  }

  /** The caller has been let in, as far as can be known. */
  admit(): void {
    clearTimeout(this.#admission);
    if (this.#isAdmitted) return;
    this.#isAdmitted = true;
    if (this.#mistake !== undefined) this.onWrong(this.#mistake.error);
    if (this.#isOver || !this.#hasBegun) return;
    const early = this.#early.splice(0);
    let hasRoom = true;
    for (const frame of early) hasRoom = this.#queue.send(frame);
    if (!this.#hasEnded && hasRoom) this.req.resume();
    else if (this.#hasEnded && early.length > 0) this.#queue.end();
  }

  /**
   * The call has ended.
   *
   * @returns the caller's own error, if it is the reason.
   */
  end({ status }: CallEnd): { readonly error: unknown } | undefined {
    const mistake = this.#mistake;
    this.stop();
    clearTimeout(this.#admission);
    return mistake === undefined || REFUSALS.has(status.code) ? undefined : mistake;
  }

  /** Drops what has come, and stops reading. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#mistake === undefined) clearTimeout(this.#admission);
    const { req } = this;
    req.off('data', this.#onData).off('end', this.#onEnd);
    if (this.#hasBegun) req.pause();
    this.#queue.stop();
    this.#early.length = 0;
    const bytes = this.#heldBytes;
    this.#heldBytes = 0;
    this.budget.giveBack(this, bytes);
  }

  giveUp(error: HttpRefusal): void {
    this.onMistake(error);
  }

  sizeOf({ bytes }: RpcFrame): number {
    return bytes.length;
  }

  read(frame: RpcFrame): MessageOrWire | Promise<MessageOrWire> {
    const { codec, maxBytes, asWire, unpacker } = this.messages;
    const messageIn = (bytes: Uint8Array): MessageOrWire => codec.read(bytes, asWire)[0];
    const plain = unpacker.unpack(frame, this.coding, maxBytes, () => !this.#isOver);
    return plain instanceof Promise ? plain.then(messageIn) : messageIn(plain);
  }

  onTaken(frame: RpcFrame): void {
    this.heldSince = performance.now();
    this.#letGo(this.sizeOf(frame));
  }

  /** Of what has come, bytes that are no longer there. */
  #letGo(bytes: number): void {
    const gone = Math.max(0, Math.min(bytes, this.#heldBytes));
    this.#heldBytes -= gone;
    this.budget.giveBack(this, gone);
  }

  onEmpty(): void {
    if (this.#isOver) return;
    if (!this.#hasBegun) {
      this.#isAdmitted = true;
      this.#begin();
    } else if (this.#mayRead()) this.req.resume();
  }

  onMistake(error: unknown): void {
    if (this.#isOver) return;
    this.#mistake = { error };
    this.stop();
    if (this.#isAdmitted) this.onWrong(error);
  }

  #begin(): void {
    this.#hasBegun = true;
    const { req } = this;
    try {
      assertCoding(this.coding);
      const kept = keptBody(req);
      if (kept === undefined) req.on('data', this.#onData).on('end', this.#onEnd);
      else {
        this.#onData(kept);
        this.#onEnd();
      }
    } catch (error) {
      this.onMistake(error);
    }
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#isOver) return;
    try {
      if (this.#heldBytes === 0) this.heldSince = performance.now();
      this.budget.take(this, chunk.length);
      this.#heldBytes += chunk.length;
      const before = this.#reader.heldBytes;
      let messageBytes = 0;
      let hasRoom = true;
      for (const frame of this.#reader.read(chunk)) {
        messageBytes += this.sizeOf(frame);
        hasRoom = this.#pass(frame);
        // A mistake in a message may have ended it.
        if (this.#isOver) return;
      }
      this.#letGo(chunk.length - messageBytes - (this.#reader.heldBytes - before));
      if (!hasRoom || !this.#mayRead()) this.req.pause();
    } catch (error) {
      this.onMistake(error);
    }
  };

  /** Until the caller is let in, what is kept of messages is all that is read. */
  #mayRead(): boolean {
    if (this.#isAdmitted) return true;
    return this.#early.length === 0 && this.#heldBytes <= AT_ONCE_BYTES;
  }

  /** @returns false if no more should be read for now. */
  #pass(frame: RpcFrame): boolean {
    if (this.#isAdmitted) return this.#queue.send(frame);
    const isFirst = this.#early.length === 0;
    const plain = isFirst ? unpackedWithin(frame, this.coding, this.#aheadBytes) : undefined;
    if (plain === undefined) {
      this.#early.push(frame);
      return false;
    }
    this.#aheadBytes -= this.sizeOf({ isCompressed: false, bytes: plain });
    return this.#queue.send({ isCompressed: false, bytes: plain });
  }

  readonly #onEnd = (): void => {
    if (this.#isOver) return;
    try {
      this.#reader.end();
      this.#hasEnded = true;
      if (this.#early.length === 0) this.#queue.end();
    } catch (error) {
      this.onMistake(error);
    }
  };
}
