import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { replaceOn } from '@apix/contracts/internal';
import type { EmitArguments } from './bound-events.js';

/** A server whose requests can be watched. */
export type WatchableServer = Pick<EventEmitter, 'emit'>;

/** How a server calls its listeners. */
export type ServerEmit = (this: EventEmitter, ...args: EmitArguments) => boolean;

export type UpgradeEvent = [req: IncomingMessage, socket: Duplex, head: Buffer];

/** The callbacks that requests and upgraded connections pass. */
interface ServerDoor {
  request(req: IncomingMessage, res: ServerResponse, run: () => void): void;
  upgrade(req: IncomingMessage, socket: Duplex, run: () => void): void;
  refuse(error: unknown): void;
}

const HANDED_OVER: ReadonlySet<string | symbol> = new Set(['upgrade', 'connect']);
/** The events that tell of requests. */
const PASSED: ReadonlySet<string | symbol> = new Set([
  'request',
  'checkContinue',
  'checkExpectation',
  'clientError',
  ...HANDED_OVER,
]);

/**
 * Passes every request of a server through the callbacks, including requests that its framework answers
 * before any middleware, and connections that are upgraded. `emit` is replaced on this one object, since a
 * listener has no context to give to those that come after it.
 *
 * @returns a function that undoes it.
 */
export function watchServer(server: WatchableServer, door: ServerDoor): () => void {
  return replaceOn<{ emit: ServerEmit }, 'emit'>(server, 'emit', (emit) => {
    return function (...args) {
      const [event, first, second] = args;
      if (!PASSED.has(event)) return emit.apply(this, args);
      let result = false;
      const run = (): void => {
        result = emit.apply(this, args);
      };
      if (event === 'clientError') {
        door.refuse(first);
        run();
      } else if (HANDED_OVER.has(event) && !isResponse(second)) {
        door.upgrade(first as IncomingMessage, second as Duplex, run);
      } else {
        // CONNECT of HTTP/2 is a request like any other: its connection is not handed over.
        door.request(first as IncomingMessage, second as ServerResponse, run);
      }
      return result;
    };
  });
}

/** A listener that Node asks for, or it would not say that an upgrade is offered. */
export const upgradePresence = (): void => {};

/**
 * Takes the event `upgrade` of a server away from its listeners, each of which would otherwise answer or
 * end a connection that is not its own: Node cannot assign it to one of them.
 *
 * @param onUpgrade returns `true` if it has handled the event; gets a function that calls the listeners.
 * @returns a function that undoes it.
 */
export function watchUpgrades(
  server: Server,
  onUpgrade: (event: UpgradeEvent, emit: ServerEmit) => boolean,
): () => void {
  server.on('upgrade', upgradePresence);
  const undo = replaceOn(server as { emit: ServerEmit }, 'emit', (emit) => {
    return function (event, ...args) {
      if (event !== 'upgrade') return emit.call(this, event, ...args);
      return onUpgrade(args as UpgradeEvent, emit);
    };
  });
  return () => {
    server.off('upgrade', upgradePresence);
    undo();
  };
}

function isResponse(value: unknown): value is ServerResponse {
  return typeof value === 'object' && value !== null && 'writeHead' in value;
}
