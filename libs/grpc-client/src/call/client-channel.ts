import { type Deadline, type Duration, parseDuration } from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import { type LostCalls, NO_LOST_CALLS } from '../service-config/lost-calls.js';
import type { CallTransport, ChannelState } from '../transport/call-transport.js';
import type { Call, CallHead, CallListener } from '@apix/calls';

/** A call that can be ended from outside. */
export interface CloseableCall {
  close(): void;
}

/**
 * The way to one server, which any number of clients may share. It connects with the first call, or with
 * {@link waitForReady}. The code that opened it closes it.
 */
export class ClientChannel {
  readonly #transport: CallTransport;
  readonly #calls = new Set<CloseableCall>();
  #whenEmpty: (() => void) | undefined;
  #isClosing = false;

  /** For the calls of a client. */
  readonly lostCalls: LostCalls;

  /** For a transport of your own; {@link openChannel} makes the usual ones. */
  constructor(transport: CallTransport, lostCalls: LostCalls = NO_LOST_CALLS) {
    this.#transport = transport;
    this.lostCalls = lostCalls;
  }

  /** The target of its calls: the endpoint, or `in-process`. */
  get target(): string {
    return this.#transport.target;
  }

  /** Whether messages cannot be read or changed on the way: TLS, or in-process. */
  get isSecure(): boolean {
    return this.#transport.isSecure;
  }

  /** The implementation that carries its calls over a network; undefined in-process. */
  get stack(): CallTransport['stack'] {
    return this.#transport.stack;
  }

  get state(): ChannelState {
    return this.#isClosing ? 'closed' : this.#transport.state;
  }

  /** Calls under way. */
  get active(): number {
    return this.#calls.size;
  }

  /**
   * Connects, and resolves when calls get through.
   *
   * @throws Error when they do not within the timeout.
   */
  waitForReady(timeout: Duration): Promise<void> {
    return this.#transport.waitForReady(Date.now() + parseDuration(timeout));
  }

  /**
   * Reads the certificates of the option `tls` again; connections that are there stay.
   *
   * @throws GrpcSetupError if they are invalid; the existing ones then stay.
   */
  reload(): void {
    this.#transport.reload?.();
  }

  /**
   * Refuses further calls as UNAVAILABLE, waits for those under way and closes the connection. Calls that
   * are left at the deadline are cancelled. Default: no deadline.
   *
   * @returns how many calls were cancelled.
   */
  async close(deadline?: Deadline): Promise<number> {
    this.#isClosing = true;
    if (this.#calls.size > 0) await this.#emptyBy(deadline?.signal);
    const left = [...this.#calls];
    for (const call of left) call.close();
    this.#transport.close();
    return left.length;
  }

  /** Whether it takes no further calls. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** For the calls of a client. */
  begin(call: CloseableCall): void {
    this.#calls.add(call);
  }

  /** For the calls of a client. */
  end(call: CloseableCall): void {
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#whenEmpty?.();
  }

  /** For the calls of a client. */
  open(head: CallHead, listener: CallListener): Call {
    return this.#transport.open(head, listener);
  }

  async #emptyBy(signal: AbortSignal | undefined): Promise<void> {
    const empty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    await (signal === undefined ? empty : Promise.race([empty, untilAborted(signal)]));
  }
}
