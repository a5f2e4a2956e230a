import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpService } from '@apix/hostx/core';
import { CERTIFICATE, KEY } from './certificate.js';

/** A server of HTTP/2, and what serves the same over HTTP/1. */
export interface Http2Served {
  readonly http1: string;
  readonly http2: string;
  close(): Promise<unknown>;
}

/** Serves a handler over HTTP/1 and HTTP/2 on one port of the loopback interface, as hosts do. */
export async function serveOnHost(
  scheme: 'http' | 'https',
  handler: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<Http2Served> {
  const secure = scheme === 'https' ? { tls: { cert: CERTIFICATE, key: KEY } } : {};
  const service = httpService({ port: 0, host: '127.0.0.1', http2: true, handler, ...secure });
  const stop = new AbortController();
  const ended = service.start(stop.signal);
  await service.ready();
  const url = `${scheme}://${service.addr}`;
  const close = (): Promise<void> => {
    stop.abort();
    return ended;
  };
  return { http1: url, http2: url, close };
}
