import type { Metadata, ServerInterceptingCallInterface, ServerInterceptor } from '@grpc/grpc-js';

/** A request of a call, or their end, as grpc-js keeps it until it is read. */
export interface QueuedRead {
  type: 'COMPRESSED' | 'READABLE' | 'HALF_CLOSE';
  /** With its head; null for the end. */
  readonly compressedMessage: Buffer | null;
  parsedMessage: unknown;
}

/** As much of the call that grpc-js gives to its innermost interceptor as is relied on. */
export interface ConnectionCall {
  decoder: { write(data: Buffer): Buffer[]; readonly isWithinMessage?: boolean };
  readonly maxReceiveMessageSize: number;
  readonly maxSendMessageSize: number;
  /** The value of `grpc-encoding` of the request. */
  readonly incomingEncoding: string;
  readonly readQueue: readonly QueuedRead[];
  readonly isReadPending: boolean;
  readonly stream: {
    readonly writableLength: number;
    readonly writableEnded: boolean;
    once(event: 'close', run: () => void): unknown;
    close(code: number): void;
  };
  readonly handler: { deserialize(bytes: Buffer): unknown };
  decompressAndMaybePush(entry: QueuedRead): void | Promise<void>;
  maybePushNextMessage(): void;
  handleEndEvent(): void;
  readonly metadata: Metadata;
  startRead(): void;
  serializeMessage(message: unknown): Buffer;
  sendMetadata(metadata: Metadata | null): void;
  sendMessage(message: unknown, done: () => void): void;
  sendStatus: ServerInterceptingCallInterface['sendStatus'];
}

/**
 * An innermost interceptor of a connection that replaces members of each call, by functions that all calls share.
 */
export function patchingCalls(patch: (call: ConnectionCall) => void): ServerInterceptor {
  return (_, next) => {
    patch(next as unknown as ConnectionCall);
    // grpc-js types an interceptor's result by class, and uses only this interface of it.
    return next as unknown as ReturnType<ServerInterceptor>;
  };
}

/** The members of a call as grpc-js has them. */
export function classOf(call: ConnectionCall): ConnectionCall {
  return Object.getPrototypeOf(call) as ConnectionCall;
}
