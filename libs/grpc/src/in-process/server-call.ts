import { noteFailure } from '@apix/calls/grpc';
import type { CallHead } from '@apix/calls';
import type { StagedCarrier } from '@apix/calls/internal';
import type { CallPeer } from '@apix/contracts';
import type { CallersContext } from '@apix/contracts/internal';
import {
  Metadata,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  type StatusObject,
  status,
} from '@grpc/grpc-js';
import type { SentStatus } from './handler-call.js';
import { tooLargeToRead, tooLargeToSend, type MessagePath } from './message-path.js';
import { NO_RECORDER } from './no-recorder.js';
import { type Letter, Mailbox, type Recipient, type SideContext } from './mailbox.js';
import { type HandlerListener, runHandler } from './run-handler.js';

type MetricsRecorder = ReturnType<ServerInterceptingCallInterface['getMetricsRecorder']>;

/** A call as its caller makes it. */
export interface OpenedHead extends Pick<
  CallHead<object>,
  'metadata' | 'deadline' | 'peer' | 'writeAnswer'
> {
  /** Default: ''. */
  readonly host?: string | undefined;
}

const CANCEL = { kind: 'cancel' } as const;

/** Of a caller without a connection. */
const NO_PEER: CallPeer = { address: '' };

/** The caller's end. */
interface CallerEnd {
  readonly head: OpenedHead;
  readonly inbox: Mailbox;
  readonly context: CallersContext & SideContext;
  /** Milliseconds since the epoch, within the reach of a timer; Infinity: no deadline. */
  readonly deadline: number;
}

/** The server's end of a call: for interceptors and handlers it replaces the end of a connection. */
export class ServerCall implements StagedCarrier, Recipient {
  readonly inbox: Mailbox;
  watcher: StagedCarrier['watcher'] = undefined;
  /** Of the caller, so that stages can find out what the call is part of. */
  readonly callersContext: CallersContext;
  readonly callersPeer: CallPeer;
  readonly #client: CallerEnd;
  readonly #messages: MessagePath;
  readonly #interceptors: readonly ServerInterceptor[];
  #listener: HandlerListener | undefined;
  #sentMetadata = false;
  /** Nothing is sent any more. */
  #over = false;

  constructor(
    client: CallerEnd,
    context: SideContext,
    messages: MessagePath,
    interceptors: readonly ServerInterceptor[],
  ) {
    this.#client = client;
    this.#messages = messages;
    this.#interceptors = interceptors;
    this.callersContext = client.context;
    this.callersPeer = client.head.peer ?? NO_PEER;
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
    listener.onReceiveMetadata(joinValues(this.#client.head.metadata));
  }

  sendMetadata(metadata: Metadata | null): void {
    if (this.#over || this.#sentMetadata) return;
    this.#sentMetadata = true;
    this.#client.inbox.put({ kind: 'metadata', metadata: received(metadata) });
  }

  sendMessage(message: unknown, callback: () => void): void {
    if (this.#over) return;
    const { metadata, writeAnswer } = this.#client.head;
    const messages = this.#messages;
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
    this.sendMetadata(null);
    this.#client.inbox.put({ kind: 'message', body }, callback);
  }

  sendStatus(sent: SentStatus): void {
    if (this.#over) return;
    this.#over = true;
    this.#client.inbox.put({ kind: 'status', status: receivedStatus(sent), fromServer: true });
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
    return this.#client.deadline;
  }

  getHost(): string {
    return this.#client.head.host ?? '';
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
    try {
      runHandler(this, this.#interceptors, this.#messages.handler);
    } catch {
      this.#fail('internal error');
    }
  }

  #open(body: unknown): void {
    const messages = this.#messages;
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

function receivedStatus({ code, details, metadata }: SentStatus): StatusObject {
  return {
    code: code ?? status.UNKNOWN,
    details: details ?? '',
    metadata: received(metadata),
  };
}

/** A copy of metadata as it would arrive over HTTP/2. */
function received(sent: Metadata | null | undefined): Metadata {
  return sent ? joinValues(sent.clone()) : new Metadata();
}

/**
 * Makes one value of the text values of a key that has several, joined by commas, as HTTP/2 does (RFC 9110
 * §5.3), so that the transports do not differ in them.
 */
function joinValues(metadata: Metadata): Metadata {
  // Read at once: each key that is asked for by name is checked again.
  for (const [key, values] of Object.entries(metadata.toJSON())) {
    if (values.length > 1 && !key.endsWith('-bin')) metadata.set(key, values.join(', '));
  }
  return metadata;
}
