import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { UpstreamHead, Upstream } from '../upstream/upstream.js';
import type { Answers, RoutedRequest } from './answer.js';
import type { BodyBudget } from './body-budget.js';

/** A request for a WebSocket, before it was granted. Until then `res` can refuse it. */
export interface UpgradeRequest extends RoutedRequest {
  readonly socket: Duplex;
  /** The bytes after the headers. */
  readonly head: Buffer;
}

/** The mistake in a request. */
export interface Mistake {
  readonly error: unknown;
}

/** Carries calls whose requests are a stream. */
export interface WebSocketDoor {
  /**
   * Looks at a handshake.
   *
   * @returns credentials that came in it, as an `Authorization` value.
   * @throws HttpRefusal for one that cannot be granted.
   */
  admit(req: IncomingMessage): string | undefined;
  /**
   * Makes the call and carries it.
   *
   * @param mistake the reason why its messages cannot be read: its caller gets this, or the refusal of the
   *   server if that comes first.
   */
  carry(
    request: UpgradeRequest,
    head: UpstreamHead,
    upstream: Upstream,
    mistake: Mistake | undefined,
  ): void;
  /** Tells every client to go (1001); resolves once all are gone. */
  close(): Promise<void>;
}

/** Makes the door of one gateway: see `webSockets` of `@apix/gateway/websocket`. */
export type WebSocketSupport = (answers: Answers, budget: BodyBudget) => WebSocketDoor;
