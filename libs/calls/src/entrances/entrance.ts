import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** From the outermost to the innermost. */
export const ENTRANCE_PLACES = ['trace', 'log', 'call'] as const;

/**
 * What each HTTP request passes before any code of its framework, for example to start a span or a logger.
 */
export interface RequestEntrance {
  /** Which others a request has passed before: `trace` before `log` before `call`; in one place, in order of arrival. */
  readonly place: (typeof ENTRANCE_PLACES)[number];
  /** Calls `run` once, in whatever context the request is to be handled. */
  request(req: IncomingMessage, res: ServerResponse, run: () => void): void;
  /** The same for a connection that is handed over, by an upgrade or CONNECT. Default: it is only run. */
  upgrade?(req: IncomingMessage, socket: Duplex, run: () => void): void;
  /** A request that is refused before it is one; a listener answers, or else Node does. Default: nothing. */
  refuse?(error: unknown): void;
}
