import { EventEmitter } from 'node:events';
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { UPGRADE_OBSERVER } from '@apix/contracts';
import { handBack, stopAtHead } from './hand-back.js';

/** Takes a connection over, after the headers of its request. */
export type Takeover = (socket: Duplex, head: Buffer) => void;

/** What serves a request for a WebSocket; undefined leaves it to others. */
export type UpgradeRoute = (req: IncomingMessage) => Takeover | undefined;

/** A listener that Node asks for, or it would not say that an upgrade is offered. */
const presence = (): void => {};

/**
 * Serves the WebSocket requests of a server that a route takes. No other listener is called for
 * them, except those that only look on. Requests that nobody can upgrade are ordinary requests:
 * those without another listener, and those that offer `h2c` alone, which clients send on
 * speculation and RFC 9113 §3.1 retired. Everything else goes to the server's other listeners.
 * Install it after whatever else replaces `server.emit`. Returns how to stop.
 */
export function takeUpgrades(server: Server, route: UpgradeRoute): () => void {
  const emit = server.emit as EventEmitter['emit'];
  let stopped = false;
  const hasOthers = (): boolean =>
    server.listeners('upgrade').some((it) => it !== presence && !isObserver(it));
  const takeoverOf = (req: IncomingMessage): Takeover | undefined =>
    req.headers.upgrade?.toLowerCase() === 'websocket' ? route(req) : undefined;
  const isOrdinary = (req: IncomingMessage): boolean =>
    !stopped && takeoverOf(req) === undefined && (offersH2cAlone(req) || !hasOthers());

  const onUpgrade = (req: IncomingMessage, socket: Duplex, head: Buffer): boolean => {
    const takeover = takeoverOf(req);
    if (takeover !== undefined) {
      const alone = new EventEmitter();
      for (const it of server.listeners('upgrade').filter(isObserver)) {
        alone.on('upgrade', it as () => void);
      }
      alone.on('upgrade', () => takeover(socket, head));
      return emit.call(alone, 'upgrade', req, socket, head);
    }
    if (!isOrdinary(req)) return emit.call(server, 'upgrade', req, socket, head);
    handBack(server, req, socket, head);
    return true;
  };
  const watched = function (this: Server, event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'upgrade' || stopped) return emit.call(this, event, ...args);
    const [req, socket, head] = args as [IncomingMessage, Duplex, Buffer];
    return onUpgrade(req, socket, head);
  };

  const unwatch = stopAtHead(server, isOrdinary);
  server.on('upgrade', presence);
  server.emit = watched;
  return () => {
    stopped = true;
    unwatch();
    server.off('upgrade', presence);
    // Somebody may have replaced it again, and has ours inside.
    if (server.emit === watched) server.emit = emit;
  };
}

function isObserver(listener: object): boolean {
  return UPGRADE_OBSERVER in listener;
}

function offersH2cAlone(req: IncomingMessage): boolean {
  const offered = (req.headers.upgrade ?? '').split(',').map((it) => it.trim().toLowerCase());
  return offered.every((protocol) => protocol === 'h2c');
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
    // As Node does for its own, for whoever counts responses.
    process.nextTick(() => res.emit('close'));
  });
  return res;
}
