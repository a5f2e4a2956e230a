import { noteFailure } from '@apix/calls/grpc';
import type { CallPeer } from '@apix/contracts';
import type { StagedCarrier } from '@apix/calls/internal';
import type { CallersContext } from '@apix/contracts/internal';
import {
  Metadata,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  type StatusObject,
  status,
} from '@grpc/grpc-js';
import type { SentStatus } from './handler-call.js';
import {
  tooLargeToRead,
  tooLargeToSend,
  type MessagePath,
  type WriteAnswer,
} from './message-path.js';
import { NO_RECORDER } from './no-recorder.js';
import { type Letter, Mailbox, type Recipient, type SideContext } from './mailbox.js';
import { type HandlerListener, runHandler } from './run-handler.js';
import type { ServedHandler } from './served-handler.js';
import { wireMetadata } from './wire-metadata.js';

type MetricsRecorder = ReturnType<ServerInterceptingCallInterface['getMetricsRecorder']>;

/** How a server takes the calls of a method. */
export interface Route {
  readonly handler: ServedHandler;
  readonly interceptors: readonly ServerInterceptor[];
  readonly messages: MessagePath;
}

/** The call as it arrives at the server. */
// A class and no literal: docs/decisions/0522
export class Arrival {
  constructor(
    readonly route: Route,
    readonly metadata: Metadata,
    /** Milliseconds since the epoch; Infinity: no deadline. */
    readonly deadline: number,
    readonly host: string,
    /** The function that writes answers for the caller. */
    readonly writeAnswer: WriteAnswer | undefined,
  ) {}
}

const CANCEL = { kind: 'cancel' } as const;

/** The caller's end. */
interface CallerEnd {
  readonly inbox: Mailbox;
  readonly context: CallersContext & SideContext;
  readonly peer: CallPeer | undefined;
}

/** The server's end of a call: for interceptors and handlers it replaces the end of a connection. */
export class ServerCall implements StagedCarrier, Recipient {
  readonly inbox: Mailbox;
  watcher: StagedCarrier['watcher'] = undefined;
  /** Of the caller, so that stages can find out what the call is part of. */
  readonly callersContext: CallersContext;
  readonly callersPeer: CallPeer | undefined;
  readonly #outbox: Mailbox;
  readonly #arrival: Arrival;
  #listener: HandlerListener | undefined;
  #sentMetadata = false;
  /** Nothing is sent any more. */
  #over = false;

  constructor(arrival: Arrival, client: CallerEnd, context: SideContext) {
    this.#arrival = arrival;
    this.callersContext = client.context;
    this.callersPeer = client.peer;
    this.#outbox = client.inbox;
    this.inbox = new Mailbox(this, context, client.context);
  }

  receive(letter: Letter): void {
    switch (letter.kind) {
      case 'start':
        this.#run();
        break;
      case 'message':
        this.#open(letter.body);
        break;
      case 'half-close':
        this.#listener?.onReceiveHalfClose();
        break;
      case 'cancel':
        this.#listener?.onCancel();
        break;
      case 'metadata':
      case 'status':
        break;
    }
  }

  /** The caller has disconnected; the handler's call is cancelled. */
  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    this.inbox.replaceAll(CANCEL);
  }

  start(listener: HandlerListener): void {
    this.#listener = listener;
    listener.onReceiveMetadata(this.#arrival.metadata);
  }

  sendMetadata(metadata: Metadata): void {
    if (this.#over || this.#sentMetadata) return;
    this.#sentMetadata = true;
    this.#outbox.put({ kind: 'metadata', metadata: wireMetadata(metadata) });
  }

  sendMessage(message: unknown, callback: () => void): void {
    if (this.#over) return;
    const { route, metadata, writeAnswer } = this.#arrival;
    const { messages } = route;
    let body: unknown;
    try {
      body = messages.packResponse(message, writeAnswer);
    } catch (error) {
      noteFailure(metadata, error);
      this.#fail('Error serializing response');
      return;
    }
    const refusal = tooLargeToSend(body, messages.limits.sent);
    if (refusal !== undefined) {
      this.#refuse(refusal);
      return;
    }
    if (!this.#sentMetadata) this.sendMetadata(new Metadata());
    this.#outbox.put({ kind: 'message', body }, callback);
  }

  sendStatus(sent: SentStatus): void {
    if (this.#over) return;
    this.#over = true;
    this.#outbox.put({ kind: 'status', status: received(sent), fromServer: true });
    // Listeners are notified that the connection has ended, in whatever way the call ended.
    this.inbox.replaceAll(CANCEL);
  }

  startRead(): void {
    if (!this.#over) this.inbox.read();
  }

  getPeer(): string {
    return 'unknown';
  }

  getDeadline(): number {
    return this.#arrival.deadline;
  }

  getHost(): string {
    return this.#arrival.host;
  }

  getAuthContext(): Record<string, never> {
    return {};
  }

  getConnectionInfo(): Record<string, never> {
    return {};
  }

  /** There is no load balancer to report to. */
  getMetricsRecorder(): MetricsRecorder {
    return NO_RECORDER;
  }

  #run(): void {
    const { handler, interceptors } = this.#arrival.route;
    try {
      runHandler(this, interceptors, handler);
    } catch {
      this.#fail('internal error');
    }
  }

  #open(body: unknown): void {
    const { messages } = this.#arrival.route;
    const refusal = tooLargeToRead(body, messages.limits.request);
    if (refusal !== undefined) {
      this.#refuse(refusal);
      return;
    }
    let message: unknown;
    try {
      message = messages.openRequest(body);
    } catch {
      this.#fail('Error deserializing request');
      return;
    }
    this.#listener?.onReceiveMessage(message);
  }

  #fail(details: string): void {
    this.#refuse({ code: status.INTERNAL, details, metadata: null });
  }

  /** Ends the call by a status that did not come through the stages. */
  #refuse(own: SentStatus): void {
    if (!this.#over) this.sendStatus(this.watcher?.onStatus(own) ?? own);
  }
}

function received({ code, details, metadata }: SentStatus): StatusObject {
  return {
    code: code ?? status.UNKNOWN,
    details: details ?? '',
    metadata: metadata ? wireMetadata(metadata) : new Metadata(),
  };
}
