import type { Http2Session } from 'node:http2';

interface Pinged {
  ping(answered: (error: Error | null, duration: number, payload: Buffer) => void): boolean;
}

const NOTHING = Buffer.alloc(8);

/**
 * Lets a session be asked whether its other end is alive until its last call has ended. Once either end has
 * sent a GOAWAY, Node refuses to ping; grpc-js then takes the connection for dead and ends the calls under
 * way. An empty SETTINGS frame asks the same, for it must be acknowledged (RFC 9113, 6.5.3); its callback is
 * not called if the session ends before. This replaces `ping` of the one session, as grpc-js calls it.
 */
// Why: docs/decisions/0110
export function askWhileClosing(session: Http2Session): void {
  const pinged: Pinged = session;
  const own = Object.getPrototypeOf(session) as Pinged;
  pinged.ping = (answered) => {
    if (session.destroyed || !session.closed) return own.ping.call(session, answered);
    session.settings({}, (error) => answered(error, 0, NOTHING));
    return true;
  };
}
