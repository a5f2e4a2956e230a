/**
 * The limit of request bytes that are kept, so that a call that the server has not seen can be made again.
 */
const KEPT_BYTES = 256 * 1024;

interface SentFrame {
  readonly frame: Buffer;
  /** Called once, by the first attempt that takes the frame. */
  readonly taken: (() => void) | undefined;
}

/** Takes the requests of a call. */
export interface FrameTaker {
  write(frame: Buffer, taken: (() => void) | undefined): void;
  halfClose(): void;
}

/**
 * The requests of a call: sent once there is a stream, and kept until it is known that the server has seen
 * the call, or until there are too many of them.
 */
export class SentFrames {
  readonly #kept: SentFrame[] = [];
  #bytes = 0;
  #isHalfClosed = false;
  #isCommitted = false;
  #to: FrameTaker | undefined;

  /** Whether everything that was sent is still kept. */
  get canRepeat(): boolean {
    return !this.#isCommitted;
  }

  send(frame: Buffer, taken: (() => void) | undefined): void {
    const sent = { frame, taken: once(taken) };
    this.#to?.write(frame, sent.taken);
    if (this.#isCommitted) return;
    this.#bytes += frame.length;
    this.#kept.push(sent);
    // Before there is a stream, `taken` holds the sender back.
    if (this.#to !== undefined && this.#bytes > KEPT_BYTES) this.commit();
  }

  halfClose(): void {
    this.#isHalfClosed = true;
    this.#to?.halfClose();
  }

  /** Sends everything, again or for the first time, and what follows. */
  sendTo(to: FrameTaker): void {
    this.#to = to;
    for (const { frame, taken } of this.#kept) to.write(frame, taken);
    if (this.#isHalfClosed) to.halfClose();
    if (this.#bytes > KEPT_BYTES) this.commit();
  }

  /** The attempt is over; another one follows. */
  detach(): void {
    this.#to = undefined;
  }

  /** Drops the kept requests and keeps no further ones. */
  commit(): void {
    this.#isCommitted = true;
    this.#kept.length = 0;
    this.#bytes = 0;
  }
}

function once(run: (() => void) | undefined): (() => void) | undefined {
  if (run === undefined) return undefined;
  let hasRun = false;
  return () => {
    if (hasRun) return;
    hasRun = true;
    run();
  };
}
