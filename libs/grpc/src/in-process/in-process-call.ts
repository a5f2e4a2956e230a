import type { AsyncResource } from 'node:async_hooks';
import type { Call, CallListener, SendContext } from '@apix/calls';
import { thrownText } from '@apix/contracts';
import { MAX_TIMER_MS } from '@apix/contracts/internal';
import { Metadata, type ServerInterceptor, type StatusObject, status } from '@grpc/grpc-js';
import { type MessagePath, tooLargeToRead } from './message-path.js';
import {
  type Letter,
  Mailbox,
  type Recipient,
  type SideContext,
  contextOfNow,
  hop,
} from './mailbox.js';
import { type OpenedHead, ServerCall } from './server-call.js';

const START = { kind: 'start' } as const;
const HALF_CLOSE = { kind: 'half-close' } as const;

type OwnStatus = Pick<StatusObject, 'code' | 'details'>;

/** The part of the server's entry that its calls use. */
export interface CallRegister {
  readonly context: SideContext;
  entered(call: InProcessCall): void;
  left(call: InProcessCall): void;
}

/**
 * The caller's end of a call to a server of the same process. Its methods never throw, and its listener
 * runs in the asynchronous context of the caller, in a later turn.
 */
export class InProcessCall implements Call, Recipient {
  readonly head: OpenedHead;
  /** Milliseconds since the epoch, within the reach of a timer; Infinity: no deadline. */
  readonly deadline: number;
  readonly inbox: Mailbox;
  /** The asynchronous context in which the call was made. */
  readonly context: AsyncResource = contextOfNow();
  readonly #register: CallRegister;
  readonly #listener: CallListener<object>;
  #server: ServerCall | undefined;
  #messages!: MessagePath;
  #timer: NodeJS.Timeout | undefined;
  #halfClosed = false;
  /** The status is known; it may still be on its way. */
  #over = false;
  #ended = false;

  constructor(register: CallRegister, head: OpenedHead, listener: CallListener<object>) {
    this.#register = register;
    this.head = head;
    this.deadline = withinReach(head.deadline);
    this.#listener = listener;
    this.inbox = new Mailbox(this, this.context, register.context);
  }

  /** @param interceptors of the server. */
  begin(messages: MessagePath, interceptors: readonly ServerInterceptor[]): void {
    const left = this.deadline - Date.now();
    if (left <= 0) {
      this.end(deadlineExceeded(0));
      return;
    }
    const register = this.#register;
    const server = new ServerCall(this, register.context, messages, interceptors);
    this.#server = server;
    this.#messages = messages;
    register.entered(this);
    if (left !== Infinity) {
      this.#timer = setTimeout(() => this.end(deadlineExceeded(left)), left);
    }
    server.inbox.put(START);
  }

  /** The server reads when its stages have let the call in, and no sooner. */
  whenWanted(run: () => void): void {
    this.#server?.inbox.whenRead(() => {
      if (!this.#over) run();
    });
  }

  send(message: unknown, context?: SendContext): void {
    const taken = context?.taken;
    const server = this.#server;
    if (server === undefined || this.#over || this.#halfClosed) {
      // A stream of the caller's must not wait for what will never be taken.
      if (taken) hop(this.context, taken);
      return;
    }
    let body: unknown;
    try {
      body = this.#messages.packRequest(message, context?.textBytes);
    } catch (error) {
      this.end({
        code: status.INTERNAL,
        details: `Request message serialization failure: ${thrownText(error)}`,
      });
      return;
    }
    server.inbox.put({ kind: 'message', body }, taken);
  }

  halfClose(): void {
    if (this.#over || this.#halfClosed) return;
    this.#halfClosed = true;
    this.#server?.inbox.put(HALF_CLOSE);
  }

  read(): void {
    this.inbox.read();
  }

  cancel(): void {
    this.end({ code: status.CANCELLED, details: 'Cancelled on client' });
  }

  receive(letter: Letter): void {
    // What the server sent before it heard that this end gave the call up.
    if (this.#ended) return;
    switch (letter.kind) {
      case 'metadata':
        this.#listener.onHeaders(letter.metadata);
        break;
      case 'message':
        this.#open(letter.body);
        break;
      case 'status':
        this.#finish(letter.status, letter.fromServer);
        break;
      case 'start':
      case 'half-close':
      case 'cancel':
        break;
    }
  }

  /** Ends the call from this end, with a status of this end's making. */
  end(own: OwnStatus): void {
    if (this.#over) return;
    this.#server?.cancel();
    this.#endAs(own);
  }

  /** Ends the call over a message from the server, which is notified two turns later, as over a network. */
  #giveUp(own: OwnStatus): void {
    if (this.#over) return;
    setImmediate(() => setImmediate(() => this.#server?.cancel()));
    this.#endAs(own);
  }

  #endAs(own: OwnStatus): void {
    this.#over = true;
    const status = { ...own, metadata: new Metadata() };
    this.inbox.replaceAll({ kind: 'status', status, fromServer: false });
  }

  #open(body: unknown): void {
    const messages = this.#messages;
    const refusal = tooLargeToRead(body, messages.limits.response);
    if (refusal !== undefined) {
      this.#giveUp(refusal);
      return;
    }
    let message: unknown;
    try {
      message = messages.openResponse(body);
    } catch (error) {
      const details = `Response message parsing error: ${thrownText(error)}`;
      this.#giveUp({ code: status.INTERNAL, details });
      return;
    }
    this.#listener.onMessage(message as object);
  }

  #finish(status: StatusObject, fromServer: boolean): void {
    this.#over = true;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#register.left(this);
    this.#listener.onEnd({ status, fromServer });
  }
}

/** When a call must have ended, within the reach of a timer. */
function withinReach(deadline: number): number {
  return deadline === Infinity ? Infinity : Math.min(deadline, Date.now() + MAX_TIMER_MS);
}

function deadlineExceeded(afterMs: number): OwnStatus {
  return {
    code: status.DEADLINE_EXCEEDED,
    details: `Deadline exceeded after ${(afterMs / 1000).toFixed(3)}s`,
  };
}
