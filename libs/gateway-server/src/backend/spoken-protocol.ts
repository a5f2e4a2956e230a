import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** What a server speaks on its port. */
export type SpokenProtocol = 'tls' | 'plaintext';

/** How long a server may take to show it, in milliseconds. */
const WITHIN_MS = 1_000;

/** How a client of HTTP/2 begins (RFC 9113 §3.4): its preface and empty settings. */
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);

/** The type of the frame with which a server of HTTP/2 begins. */
const SETTINGS = 4;

/**
 * Finds out whether a gRPC server speaks TLS, for an error about a connection that failed: it connects once for
 * each answer.
 *
 * @param endpoint `host:port`, also after `dns:`; undefined is the answer for anything else.
 * @returns undefined also if the server shows neither in a second.
 */
export async function spokenProtocol(endpoint: string): Promise<SpokenProtocol | undefined> {
  const address = /^(?:dns:\/{0,3})?\[?([^/\]]+?)\]?:(\d+)$/.exec(endpoint);
  if (address === null) return undefined;
  const at = { host: address[1]!, port: Number(address[2]) };
  const [isTls, isPlain] = await Promise.all([
    seen(
      () => connectTls({ ...at, rejectUnauthorized: false, ALPNProtocols: ['h2'] }),
      'secureConnect',
    ),
    seen(() => connectTcp(at).once('connect', greet), 'data'),
  ]);
  if (isTls) return 'tls';
  return isPlain ? 'plaintext' : undefined;
}

function greet(this: Socket): void {
  this.write(PREFACE);
}

/** Whether a server shows the protocol: by a handshake, or by an alert of it; by a frame of settings. */
function seen(open: () => Socket, event: 'secureConnect' | 'data'): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isSeen: boolean): void => {
      clearTimeout(timer);
      socket?.destroy();
      resolve(isSeen);
    };
    const timer = setTimeout(() => end(false), WITHIN_MS);
    let socket: Socket | undefined;
    try {
      socket = open();
    } catch {
      // Such as a port above 65535.
      end(false);
      return;
    }
    socket.on('error', (error: Error & { code?: string }) => end(/ALERT/.test(error.code ?? '')));
    socket.once('close', () => end(false));
    socket.once(event, (bytes?: Buffer) => end(bytes === undefined || bytes[3] === SETTINGS));
  });
}
