import type { MessageOrWire, Call } from '@apix/calls';

/** Frames that may wait before their source is paused. */
const ROOM = 16;

/** Bytes that may wait before their source is paused. */
const ROOM_BYTES = 64 * 1024;

/** The source of the requests of a stream, not decoded yet. */
export interface FrameSource<Frame> {
  sizeOf(frame: Frame): number;
  /** Called when the frame's message may be sent. An error that it throws, or rejects with, ends the requests. */
  read(frame: Frame): MessageOrWire | Promise<MessageOrWire>;
  /** The call has taken the frame's message; not called once the requests were stopped. */
  onTaken?(frame: Frame): void;
  /** Everything that waited is sent: the source may continue. */
  onEmpty(): void;
  onMistake(error: unknown): void;
}

/**
 * The requests of a stream, read and sent one after the other as the call takes them: none before
 * the server has admitted the call, if it reports that.
 */
export class RequestQueue<Frame> {
  readonly #call: Call;
  readonly #source: FrameSource<Frame>;
  readonly #waiting: Frame[] = [];
  #waitingBytes = 0;
  #isBusy: boolean;
  #ended = false;
  #isStopped = false;

  constructor(call: Call, source: FrameSource<Frame>) {
    this.#call = call;
    this.#source = source;
    this.#isBusy = call.whenWanted !== undefined;
    call.whenWanted?.(() => this.#proceed());
  }

  /** @returns false when the source should wait for `onEmpty`. */
  send(frame: Frame): boolean {
    this.#waiting.push(frame);
    this.#waitingBytes += this.#source.sizeOf(frame);
    if (!this.#isBusy) this.#proceed();
    return this.#waiting.length < ROOM && this.#waitingBytes < ROOM_BYTES;
  }

  /** Ends the requests, after the waiting ones. */
  end(): void {
    this.#ended = true;
    if (!this.#isBusy) this.#call.halfClose();
  }

  /** Drops the waiting requests; nothing more is sent. */
  stop(): void {
    this.#isStopped = true;
    this.#isBusy = true;
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
  }

  #proceed(): void {
    if (this.#isStopped) return;
    const next = this.#waiting.shift();
    if (next !== undefined) {
      this.#isBusy = true;
      this.#send(next);
      return;
    }
    this.#isBusy = false;
    if (this.#ended) this.#call.halfClose();
    this.#source.onEmpty();
  }

  #send(frame: Frame): void {
    this.#waitingBytes -= this.#source.sizeOf(frame);
    let message: MessageOrWire | Promise<MessageOrWire>;
    try {
      message = this.#source.read(frame);
    } catch (error) {
      this.#giveUp(error);
      return;
    }
    if (message instanceof Promise) message.then((it) => this.#pass(frame, it), this.#giveUp);
    else this.#pass(frame, message);
  }

  readonly #giveUp = (error: unknown): void => {
    if (this.#isStopped) return;
    this.stop();
    this.#source.onMistake(error);
  };

  #pass(frame: Frame, message: MessageOrWire): void {
    if (this.#isStopped) return;
    const taken = (): void => {
      if (!this.#isStopped) this.#source.onTaken?.(frame);
      this.#proceed();
    };
    this.#call.send(message, { taken });
  }
}
