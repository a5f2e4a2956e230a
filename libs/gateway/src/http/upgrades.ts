import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { UPGRADE_OBSERVER } from '@apix/contracts/internal';
import {
  lingerUnparsed,
  type ServerEmit,
  type UpgradeEvent,
  upgradePresence,
  watchUpgrades,
} from '@apix/calls/internal';
import { stopAtHead } from '../patches/stop-at-head.js';
import { returnToParser } from './return-to-parser.js';

/** Takes a connection over, after the headers of its request. */
export type Takeover = (socket: Duplex, head: Buffer) => void;

/** The handler of a WebSocket request; undefined leaves it to other listeners. */
export type UpgradeRoute = (req: IncomingMessage) => Takeover | undefined;

/** The state installed on a server; several gateways may share one. */
interface Installed {
  readonly routes: Set<UpgradeRoute>;
  readonly uninstall: () => void;
}

const installed = new WeakMap<Server, Installed>();

/**
 * Serves the WebSocket requests of a server that a route takes. No other listener is called for them,
 * except those that only observe. Requests that nothing can upgrade are ordinary requests: those without
 * another listener, and those that offer only `h2c`, which clients send speculatively and RFC 9113 §3.1
 * removed. Everything else goes to the server's other listeners. Install it after other code that replaces
 * `server.emit`. Returns a function that stops it.
 */
export function takeUpgrades(server: Server, route: UpgradeRoute): () => void {
  const own = installed.get(server) ?? install(server);
  installed.set(server, own);
  own.routes.add(route);
  return () => {
    if (!own.routes.delete(route) || own.routes.size > 0) return;
    installed.delete(server);
    own.uninstall();
  };
}

function install(server: Server): Installed {
  const routes = new Set<UpgradeRoute>();
  const takeoverOf = (req: IncomingMessage): Takeover | undefined => {
    if (req.headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
    for (const route of routes) {
      const takeover = route(req);
      if (takeover !== undefined) return takeover;
    }
    return undefined;
  };
  const isOrdinary = (req: IncomingMessage): boolean =>
    takeoverOf(req) === undefined && (offersH2cAlone(req) || !hasOthers(server));

  const headStop = stopAtHead(server, isOrdinary);
  const stopWatching = watchUpgrades(server, (event, emit) => {
    const [req] = event;
    const takeover = takeoverOf(req);
    if (takeover !== undefined) emitAlone(server, emit, takeover, event);
    else if (isOrdinary(req)) returnToParser(server, headStop, event);
    else return emit.call(server, 'upgrade', ...event);
    return true;
  });
  const uninstall = (): void => {
    headStop.uninstall();
    stopWatching();
  };
  return { routes, uninstall };
}

/** Calls the observers, and an earlier replacement of `emit`, for a connection taken over. */
function emitAlone(
  server: Server,
  emit: ServerEmit,
  takeover: Takeover,
  [req, socket, head]: UpgradeEvent,
): void {
  let taken = false;
  const take = (): void => {
    if (taken) return;
    taken = true;
    takeover(socket, head);
  };
  const alone = new EventEmitter();
  for (const observer of server.listeners('upgrade').filter(isObserver)) {
    alone.on('upgrade', observer as () => void);
  }
  alone.on('upgrade', take);
  emit.call(alone, 'upgrade', req, socket, head);
  // An emit that is bound to the server has not called it.
  take();
}

function hasOthers(server: Server): boolean {
  return server.listeners('upgrade').some((it) => it !== upgradePresence && !isObserver(it));
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
  const res = new (process.getBuiltinModule('node:http').ServerResponse)(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket as never);
  // Node has taken its own listener away.
  socket.on('error', () => socket.destroy());
  res.once('finish', () => {
    res.detachSocket(socket as never);
    lingerUnparsed(socket);
    // As Node does for its own, for code that counts responses.
    process.nextTick(() => res.emit('close'));
  });
  return res;
}
