import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Server } from '@grpc/grpc-js';
import { onHttp2Server } from './http2-servers.js';

const ACCEPTED = Symbol('apix.grpc.AcceptedEncodings');

interface Noted {
  [ACCEPTED]?: string | undefined;
}

/**
 * Keeps the encodings that the callers of a server can decompress, for {@link accepts}: grpc-js removes the
 * header before other code sees it. The server must not be bound yet.
 */
export function noteAcceptedEncodings(server: Server): void {
  // Before the listener of grpc-js, which has the call begin.
  onHttp2Server(server, (http2) => void http2.prependListener('stream', note));
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
