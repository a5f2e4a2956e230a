import type { Http2Server } from 'node:http2';
import type { Server } from '@grpc/grpc-js';

/** As much of a server of grpc-js as is relied on; an app may have another copy of it. */
interface Listening {
  createHttp2Server?(credentials: unknown): Http2Server;
}

/**
 * Calls back with each HTTP/2 server that a server of grpc-js makes, before it listens. It replaces a method
 * of this one server, which must not be bound yet.
 */
export function onHttp2Server(server: Server, made: (http2: Http2Server) => void): void {
  const listening = server as unknown as Listening;
  const make = listening.createHttp2Server?.bind(listening);
  if (make === undefined) return;
  listening.createHttp2Server = (credentials) => {
    const http2 = make(credentials);
    made(http2);
    return http2;
  };
}
