import type { Server as HttpServer } from 'node:http';
import type { Http2Server } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '@apix/contracts';

/** The beginning of an HTTP/2 connection (RFC 9113 §3.4); no method of HTTP/1 begins like this. */
const PREFACE = Buffer.from('PRI');

/**
 * Makes an HTTP/1 server pass HTTP/2 connections to another server, which does not listen itself: over TLS
 * those that have negotiated it, otherwise those that begin with its preface. What HTTP/1 does with its
 * connections, timeouts included, stays as it is.
 *
 * @param silentMs how long a connection without TLS may take to show what it speaks
 */
export function splitProtocols(
  server: HttpServer,
  http2: Http2Server,
  { isTls, silentMs, clock }: { isTls: boolean; silentMs: number; clock: Clock },
): void {
  const event = isTls ? 'secureConnection' : 'connection';
  const serveHttp1 = server.listeners(event) as ((socket: Socket) => void)[];
  server.removeAllListeners(event);
  const asHttp1 = (socket: Socket): void => {
    for (const serve of serveHttp1) serve.call(server, socket);
  };
  const asHttp2 = (socket: Socket): void => void http2.emit('connection', socket);
  server.on(event, (socket: Socket) => {
    if (!isTls) whenKnown(socket, silentMs, clock, asHttp1, asHttp2);
    else if ((socket as TLSSocket).alpnProtocol === 'h2') asHttp2(socket);
    else asHttp1(socket);
  });
}

/** Looks at the first bytes of a connection and leaves them there for who serves it. */
function whenKnown(
  socket: Socket,
  silentMs: number,
  clock: Clock,
  asHttp1: (socket: Socket) => void,
  asHttp2: (socket: Socket) => void,
): void {
  const giveUp = (): void => void socket.destroy();
  const cancel = clock.after(silentMs, giveUp);
  let seen: Buffer = Buffer.alloc(0);
  const look = (): void => {
    const bytes = socket.read() as Buffer | null;
    if (bytes === null) return;
    seen = seen.length === 0 ? bytes : Buffer.concat([seen, bytes]);
    const isPreface = seen.subarray(0, PREFACE.length).equals(PREFACE);
    if (!isPreface && seen.equals(PREFACE.subarray(0, seen.length))) return;
    forget();
    // Once, because a stream emits data that is put back like new data.
    socket.unshift(seen);
    if (isPreface) asHttp2(socket);
    else asHttp1(socket);
  };
  const forget = (): void => {
    cancel();
    socket.off('readable', look).off('error', giveUp).off('end', giveUp).off('close', forget);
  };
  socket.on('readable', look).on('error', giveUp).on('end', giveUp).on('close', forget);
}
