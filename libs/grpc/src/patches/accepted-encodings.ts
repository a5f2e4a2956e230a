import type { IncomingHttpHeaders, Http2Server, ServerHttp2Stream } from 'node:http2';
import type { Server } from '@grpc/grpc-js';

/** As much of a server of grpc-js as is relied on. */
interface Listening {
  createHttp2Server(credentials: unknown): Http2Server;
}

const ACCEPTED = Symbol('apix.grpc.AcceptedEncodings');

interface Noted {
  [ACCEPTED]?: string | undefined;
}

/**
 * Keeps the encodings that the callers of a server can decompress, for {@link accepts}: grpc-js removes the
 * header before other code sees it. It replaces a method of this one server, which must not be bound yet.
 */
export function noteAcceptedEncodings(server: Server): void {
  const listening = server as unknown as Listening;
  const own = Object.getPrototypeOf(server) as Listening;
  listening.createHttp2Server = (credentials) => {
    const http2 = own.createHttp2Server.call(server, credentials);
    // Before the listener of grpc-js, which has the call begin.
    http2.prependListener('stream', note);
    return http2;
  };
}

function note(stream: ServerHttp2Stream & Noted, headers: IncomingHttpHeaders): void {
  const accepted = headers['grpc-accept-encoding'];
  stream[ACCEPTED] = typeof accepted === 'string' ? accepted : accepted?.join();
}

/** Whether the caller of a stream can read messages that are compressed so. */
export function accepts(stream: object, algorithm: string): boolean {
  const accepted = (stream as Noted)[ACCEPTED];
  return accepted?.split(',').some((each) => each.trim() === algorithm) === true;
}
