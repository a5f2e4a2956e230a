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
