import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

type OnIncoming = (req: IncomingMessage, keepAlive: boolean) => number;

/** The members of a server's socket beyond its types, in Node 20 to 26 at least. */
interface Served extends Socket {
  readonly parser?: { onIncoming?: OnIncoming | null } | null;
}

/** Keeps Node's parser from bodies that belong to an upgrade. */
export interface HeadStop {
  /** Sees to a connection that Node begins to parse. */
  readonly onSocket: (socket: Duplex) => void;
  readonly uninstall: () => void;
}

/** The answer to a parser that has it stop after the headers. */
const STOP_AT_HEAD = 2;

/**
 * Makes Node's parser stop after the headers of those upgrades, whatever the version: Node 26 would read
 * their body first, and what has been read cannot be handed back. Node offers no other way than the answer
 * of `parser.onIncoming`; it takes the function off when a connection ends.
 */
export function stopAtHead(server: Server, wanted: (req: IncomingMessage) => boolean): HeadStop {
  let installed = true;
  const onSocket = (socket: Duplex): void => {
    const { parser } = socket as Served;
    const own = parser?.onIncoming;
    if (!parser || !own) return;
    parser.onIncoming = (req, keepAlive) => {
      const answer = own(req, keepAlive);
      return installed && isUpgrade(req) && wanted(req) ? STOP_AT_HEAD : answer;
    };
  };
  server.on('connection', onSocket).on('secureConnection', onSocket);
  const uninstall = (): void => {
    installed = false;
    server.off('connection', onSocket).off('secureConnection', onSocket);
  };
  return { onSocket, uninstall };
}

/** Whether Node is about to hand the connection over. */
function isUpgrade(req: IncomingMessage & { upgrade?: boolean }): boolean {
  return req.upgrade === true && req.method !== 'CONNECT';
}
