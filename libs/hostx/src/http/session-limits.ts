import type { Http2Server, constants, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock } from '@apix/contracts';

/** In milliseconds, as those of HTTP/1; 0: no limit. */
export interface SessionTimeouts {
  /** From the connection to its first request. */
  readonly headers: number;
  /** From the first byte of a request to the last of its body. */
  readonly request: number;
  /** How long a session without requests is kept. */
  readonly keepAlive: number;
}

const REQUEST_TIMEOUT = 408;

/** How long a client may take to close its side of a connection whose session has ended, in milliseconds. */
const CLOSE_MS = 1_000;

/** Holds the sessions of a server to the timeouts that Node enforces for HTTP/1 alone. */
export function limitSessions(server: Http2Server, timeouts: SessionTimeouts, clock: Clock): void {
  const after = (ms: number, fn: () => void): (() => void) =>
    ms === 0 ? () => {} : clock.after(ms, fn);

  let newest: Socket | null = null;
  // Its session is announced in the same turn.
  server.prependListener('connection', (socket: Socket) => (newest = socket));
  server.on('session', (session: ServerHttp2Session) => {
    const socket = newest;
    let streams = 0;
    let closed = (): void => {};
    // Only where no stream is open; Node would wait without end for the client to close its side.
    const close = (): void => {
      session.close();
      closed = clock.after(CLOSE_MS, () => socket?.destroy());
    };
    let notIdle = after(timeouts.headers, close);
    session.on('stream', (stream: ServerHttp2Stream) => {
      notIdle();
      streams += 1;
      const inTime = limitRequest(stream, (fn) => after(timeouts.request, fn));
      stream.once('close', () => {
        inTime();
        streams -= 1;
        if (streams === 0 && !session.closed) notIdle = after(timeouts.keepAlive, close);
      });
    });
    session.once('close', () => {
      notIdle();
      closed();
    });
  });
}

/** Answers a request whose body does not come in time as Node does for HTTP/1. */
function limitRequest(
  stream: ServerHttp2Stream,
  whenLate: (fn: () => void) => () => void,
): () => void {
  if (stream.endAfterHeaders) return () => {};
  const cancel = whenLate(() => {
    if (hasWholeBody(stream)) return;
    if (stream.headersSent || stream.closed) return stream.close(codes().NGHTTP2_CANCEL);
    stream.respond({ ':status': REQUEST_TIMEOUT }, { endStream: true });
    stream.close();
  });
  stream.once('end', cancel);
  return cancel;
}

/** The protocol's names of its reasons and states. */
function codes(): typeof constants {
  return process.getBuiltinModule('node:http2').constants;
}

/** Whether the caller has ended its half of the stream; 'end' is emitted only if the stream is read. */
function hasWholeBody({ state }: ServerHttp2Stream): boolean {
  return state.state === codes().NGHTTP2_STREAM_STATE_HALF_CLOSED_REMOTE;
}
