import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { UPGRADE_OBSERVER } from '@apix/contracts';

/** Serves a request for a WebSocket; false leaves it alone. */
export type UpgradeHandler = (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/**
 * Lets a handler have the WebSocket requests of a server. What it leaves alone goes to the
 * server's other listeners; without one it is an ordinary request, as Node treats an upgrade that
 * nobody listens for. Returns how to stop.
 */
export function takeUpgrades(server: Server, handle: UpgradeHandler): () => void {
  const onUpgrade = (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const isWebSocket = req.headers.upgrade?.toLowerCase() === 'websocket';
    if (isWebSocket && handle(req, socket, head)) return;
    const others = server
      .listeners('upgrade')
      .filter((listener) => listener !== onUpgrade && !(UPGRADE_OBSERVER in listener));
    if (others.length === 0) server.emit('request', req, responseOn(req, socket));
  };
  server.on('upgrade', onUpgrade);
  return () => server.off('upgrade', onUpgrade);
}

/** The answer to a request whose socket Node has handed over; the connection ends with it. */
export function responseOn(req: IncomingMessage, socket: Duplex): ServerResponse {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket as never);
  // Node has taken its own listener away.
  socket.on('error', () => socket.destroy());
  res.once('finish', () => {
    res.detachSocket(socket as never);
    socket.end();
  });
  return res;
}
