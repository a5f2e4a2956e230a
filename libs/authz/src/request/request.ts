import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Node's request, and its headers as the platform has them. */
export interface RequestHead {
  readonly request: IncomingMessage;
  readonly headers: IncomingHttpHeaders;
}

type Platform = Partial<IncomingMessage> & {
  /** Fastify's request carries Node's own here. */
  readonly raw?: Partial<IncomingMessage>;
};

/** A request of Express, Fastify or Node; undefined for anything else. */
export function requestHead(value: unknown): RequestHead | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const platform = value as Platform;
  const request = platform.raw ?? platform;
  const { headers } = platform;
  if (typeof headers !== 'object' || headers === null || !isRequest(request)) return undefined;
  return { request, headers };
}

function isRequest(value: Partial<IncomingMessage>): value is IncomingMessage {
  return typeof value === 'object' && Array.isArray(value.rawHeaders);
}

/** An object that closes once: a response, a socket, the client of a WebSocket. */
export interface Ending {
  once(event: string, listener: () => void): unknown;
  readonly destroyed?: boolean | undefined;
}

const signals = new WeakMap<Ending, AbortSignal>();

/**
 * Aborts when something ends. One signal, and one listener, however often it is asked for: a socket
 * has any number of messages.
 *
 * @param event with which it says so.
 */
export function closedSignal(ending: Ending, event: string): AbortSignal {
  const known = signals.get(ending);
  if (known !== undefined) return known;
  const controller = new AbortController();
  if (ending.destroyed === true) controller.abort();
  else ending.once(event, () => controller.abort());
  signals.set(ending, controller.signal);
  return controller.signal;
}
