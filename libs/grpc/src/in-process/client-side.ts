import type { AsyncResource } from 'node:async_hooks';
import { FROM_SERVER } from '@apix/calls';
import {
  type AdmittedCall,
  CALLERS_CONTEXT,
  type InProcessMessageContext,
  READ_REQUEST,
  WHEN_WANTED,
  thrownText,
} from '@apix/contracts';
import {
  type InterceptingCall,
  type InterceptorOptions,
  Metadata,
  type StatusObject,
  status,
} from '@grpc/grpc-js';
import { tooLargeToRead } from './byte-limits.js';
import { callDeadline, followParent } from './call-deadline.js';
import { type Hops, contextOfNow } from './hops.js';
import { type Letter, Mailbox, type Recipient } from './mailbox.js';
import type { MessagePath } from './message-path.js';
import { type Arrival, ServerSide } from './server-side.js';

type ClientListener = Parameters<InterceptingCall['start']>[1];
type MessageContext = Parameters<InterceptingCall['sendMessageWithContext']>[0];
type ClientCall = Pick<InterceptingCall, keyof InterceptingCall>;

/** The server's reaction to a call: accepts it, or gives the reason why not. */
export type Acceptance = Arrival | { readonly refusal: Pick<StatusObject, 'code' | 'details'> };

interface MetadataOfCall extends Metadata {
  [CALLERS_CONTEXT]?: AsyncResource;
}

/** The way into the server, as the client's end of a call sees it. */
export interface ServerEntry {
  readonly hops: Hops;
  /** @param deadline milliseconds since the epoch; Infinity: no deadline. */
  accept(options: InterceptorOptions, metadata: Metadata, deadline: number): Acceptance;
  entered(call: ClientSide): void;
  left(call: ClientSide): void;
}

/** The client's end of a call, in place of the one that would use a channel. */
export class ClientSide implements ClientCall, AdmittedCall, Recipient {
  readonly inbox: Mailbox;
  readonly #context: AsyncResource = contextOfNow();
  readonly #entry: ServerEntry;
  readonly #options: InterceptorOptions;
  #listener: ClientListener;
  #server: ServerSide | undefined;
  #messages: MessagePath | undefined;
  #timer: NodeJS.Timeout | undefined;
  #halfClosed = false;
  #hasMessage = false;
  /** The status is known; it may still be on its way. */
  #over = false;
  #told = false;

  constructor(entry: ServerEntry, options: InterceptorOptions) {
    this.#entry = entry;
    this.#options = options;
    const single = !options.method_definition.responseStream;
    this.inbox = new Mailbox(this, { hop: (run) => entry.hops.toServer(run) }, single);
  }

  hop(run: () => void): void {
    this.#entry.hops.toClient(this.#context, run);
  }

  start(metadata: Metadata, listener?: ClientListener): void {
    this.#listener = listener;
    const now = Date.now();
    const deadline = callDeadline(this.#options, now);
    const acceptance = this.#entry.accept(this.#options, metadata, deadline);
    if ('refusal' in acceptance) {
      this.#end(acceptance.refusal);
      return;
    }
    if (deadline <= now) {
      this.#end(deadlineExceeded(0));
      return;
    }
    const arrived: MetadataOfCall = acceptance.metadata;
    arrived[CALLERS_CONTEXT] = this.#context;
    const server = new ServerSide(acceptance, this, this.#entry.hops);
    this.#server = server;
    this.#messages = acceptance.messages;
    this.#entry.entered(this);
    if (deadline !== Infinity) {
      const expire = (): void => this.#end(deadlineExceeded(deadline - now));
      this.#timer = setTimeout(expire, deadline - now);
    }
    followParent(this.#options, () => {
      this.cancelWithStatus(status.CANCELLED, 'Cancelled by parent call');
    });
    server.inbox.put({ kind: 'start' });
  }

  sendMessage(message: unknown): void {
    this.sendMessageWithContext({}, message);
  }

  sendMessageWithContext(
    context: MessageContext & InProcessMessageContext,
    message: unknown,
  ): void {
    const { callback, [READ_REQUEST]: read } = context;
    const server = this.#server;
    if (server === undefined || this.#over || this.#halfClosed) {
      // A stream of the caller's must not wait for what will never be taken.
      if (callback) this.hop(() => callback());
      return;
    }
    let body: unknown;
    try {
      body = this.#messages!.packRequest(message, read);
    } catch (error) {
      this.cancelWithStatus(
        status.INTERNAL,
        `Request message serialization failure: ${thrownText(error)}`,
      );
      return;
    }
    server.inbox.put({ kind: 'message', body }, callback && (() => callback()));
  }

  halfClose(): void {
    if (this.#over || this.#halfClosed) return;
    this.#halfClosed = true;
    this.#server?.inbox.put({ kind: 'half-close' });
  }

  /** The server reads when its stages have let the call in, and no sooner. */
  [WHEN_WANTED](run: () => void): void {
    this.#server?.inbox.whenRead(() => {
      if (!this.#over) run();
    });
  }

  startRead(): void {
    this.inbox.read();
  }

  cancelWithStatus(code: status, details: string): void {
    this.#end({ code, details });
  }

  getPeer(): string {
    return 'in-process';
  }

  getAuthContext(): null {
    return null;
  }

  receive(letter: Letter): void {
    // What the server sent before it heard that this end gave the call up.
    if (this.#told) return;
    switch (letter.kind) {
      case 'metadata':
        this.#listener?.onReceiveMetadata?.(letter.metadata);
        break;
      case 'message':
        this.#open(letter.body);
        break;
      case 'status':
        this.#tell(letter.status);
        break;
      case 'start':
      case 'half-close':
      case 'cancel':
        break;
    }
  }

  /** Ends the call from this end, with a status of this end's making. */
  #end(own: Pick<StatusObject, 'code' | 'details'>): void {
    if (this.#over) return;
    this.#server?.cancel();
    this.#finish(own);
  }

  /** Ends the call over a message from the server, which is notified two turns later, as over a network. */
  #giveUp(own: Pick<StatusObject, 'code' | 'details'>): void {
    if (this.#over) return;
    setImmediate(() => setImmediate(() => this.#server?.cancel()));
    this.#finish(own);
  }

  #finish(own: Pick<StatusObject, 'code' | 'details'>): void {
    this.#over = true;
    const status = { ...own, metadata: new Metadata(), [FROM_SERVER]: false };
    this.inbox.replaceAll({ kind: 'status', status });
  }

  #open(body: unknown): void {
    const messages = this.#messages!;
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
    this.#hasMessage = true;
    this.#listener?.onReceiveMessage?.(message);
  }

  #tell(result: StatusObject): void {
    this.#over = true;
    this.#told = true;
    clearTimeout(this.#timer);
    this.#entry.left(this);
    const { responseStream } = this.#options.method_definition;
    // Interceptors of calls with one response count on a message before the status.
    if (!responseStream && !this.#hasMessage) this.#listener?.onReceiveMessage?.(null);
    this.#listener?.onReceiveStatus?.(result);
  }
}

function deadlineExceeded(afterMs: number): Pick<StatusObject, 'code' | 'details'> {
  return {
    code: status.DEADLINE_EXCEEDED,
    details: `Deadline exceeded after ${(afterMs / 1000).toFixed(3)}s`,
  };
}
