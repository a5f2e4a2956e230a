import type { MessageOrWire } from '@apix/calls';

/** The single request of a call: the message, or a source that reads it once the server wants it. */
export type RequestSource = ReadyRequest | PendingRequest;

export interface ReadyRequest {
  readonly message: MessageOrWire;
  /** See `SendContext`. */
  readonly textBytes: number | undefined;
}

/** Takes the message of a request, and the length of its text: see `SendContext`. */
export type TakeRequest = (message: MessageOrWire, textBytes: number | undefined) => void;

/** A request that is yet to be read, or that cannot be. */
export interface PendingRequest {
  readonly message: undefined;
  /**
   * Begins to read. Until {@link admit}, reads and decodes only as much as may be spent on a caller who is refused.
   * Calls one of the two once, unless it is stopped before.
   */
  start(take: TakeRequest, refuse: (error: unknown) => void): void;
  /** The caller has been admitted, as far as can be known; perhaps after the request was taken. */
  admit(): void;
  /** Drops the data read so far and stops reading. Nothing is called afterwards. */
  stop(): void;
  /** The error when the deadline of the call passes before the request is complete. */
  overdue(): unknown;
}

/** A request that cannot be read, whatever follows. */
export function unreadableRequest(error: unknown): PendingRequest {
  return {
    message: undefined,
    start: (_take, refuse) => refuse(error),
    admit: () => {},
    stop: () => {},
    overdue: () => error,
  };
}
