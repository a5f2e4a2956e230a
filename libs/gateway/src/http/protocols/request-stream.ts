import type { IncomingMessage } from 'node:http';
import type { Call, CallEnd, MessageOrWire } from '@apix/calls';
import type { HttpRefusal } from '../../errors.js';
import { type BodyRules, keptBody } from '../announced-request.js';
import type { BodyHolder } from '../body-budget.js';
import { type FrameSource, RequestQueue } from '../../upstream/request-queue.js';
import { ADMISSION_MS, REFUSALS } from '../../upstream/request-sender.js';
import { Base64Reader } from './base64-text.js';
import { assertCoding } from './coding.js';
import { FRAME_HEAD_BYTES, type RpcFrame, RpcFrameReader } from './message-frames.js';
import type { RequestForm } from './protocol.js';
import type { MessageRules } from './single-request.js';
import { AT_ONCE_BYTES, unpackedWithin } from './unpacker.js';

/**
 * The messages of a request body as they come, no more than the server takes. None is read before the server has let
 * the caller in, if it says so; on a network it has some time to refuse the call, and until then no more than 64 KiB
 * are read, and mistakes are kept.
 */
export class RpcRequestStream implements FrameSource<RpcFrame>, BodyHolder {
  heldSince = 0;
  #heldBytes = 0;
  readonly #frames: RpcFrameReader;
  readonly #text: Base64Reader | undefined;
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
    private readonly req: IncomingMessage,
    private readonly form: RequestForm,
    private readonly messages: MessageRules,
    private readonly budget: BodyRules['budget'],
    private readonly onWrong: (error: unknown) => void,
  ) {
    this.#frames = new RpcFrameReader(messages.maxBytes);
    this.#text = form.framing === 'text' ? new Base64Reader() : undefined;
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
    if (this.#isOver || this.#early.length === 0) return;
    let hasRoom = true;
    for (const frame of this.#early.splice(0)) hasRoom = this.#queue.send(frame);
    if (this.#hasEnded) this.#queue.end();
    else if (hasRoom) this.req.resume();
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
    return bytes.length + FRAME_HEAD_BYTES;
  }

  read(frame: RpcFrame): MessageOrWire | Promise<MessageOrWire> {
    const { codec, maxBytes, asWire, unpacker } = this.messages;
    const messageIn = (bytes: Uint8Array): MessageOrWire => codec.read(bytes, asWire)[0];
    const plain = unpacker.unpack(frame, this.form.coding, maxBytes, () => !this.#isOver);
    return plain instanceof Promise ? plain.then(messageIn) : messageIn(plain);
  }

  onTaken(frame: RpcFrame): void {
    this.heldSince = performance.now();
    const bytes = Math.min(this.sizeOf(frame), this.#heldBytes);
    this.#heldBytes -= bytes;
    this.budget.giveBack(this, bytes);
  }

  onEmpty(): void {
    if (this.#isOver) return;
    if (!this.#hasBegun) {
      this.#isAdmitted = true;
      this.#begin();
    } else if (this.#early.length === 0) this.req.resume();
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
      assertCoding(this.form.coding);
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
      const bytes = this.#text === undefined ? chunk : this.#text.read(chunk);
      if (this.#heldBytes === 0) this.heldSince = performance.now();
      this.budget.take(this, bytes.length);
      this.#heldBytes += bytes.length;
      let hasRoom = true;
      for (const frame of this.#frames.read(bytes)) {
        hasRoom = this.#pass(frame);
        // A mistake in a message may have ended it.
        if (this.#isOver) return;
      }
      if (!hasRoom) this.req.pause();
    } catch (error) {
      this.onMistake(error);
    }
  };

  /** @returns false if no more should be read for now. */
  #pass(frame: RpcFrame): boolean {
    if (this.#isAdmitted) return this.#queue.send(frame);
    const isFirst = this.#early.length === 0;
    const plain = isFirst ? unpackedWithin(frame, this.form.coding, this.#aheadBytes) : undefined;
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
      this.#text?.end();
      this.#frames.end();
      this.#hasEnded = true;
      if (this.#early.length === 0) this.#queue.end();
    } catch (error) {
      this.onMistake(error);
    }
  };
}
