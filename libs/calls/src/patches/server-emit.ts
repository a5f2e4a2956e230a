import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EmitArguments } from './bound-events.js';

/** A server whose requests can be watched. */
export type WatchableServer = Pick<EventEmitter, 'emit'>;

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
 * @returns a function that undoes it; if other code has wrapped `emit` since, it stays in place and passes
 *   everything on.
 */
export function watchServer(server: WatchableServer, door: ServerDoor): () => void {
  const { emit } = server;
  const wasOwn = Object.hasOwn(server, 'emit');
  let isActive = true;
  const watched = function (this: EventEmitter, ...args: EmitArguments): boolean {
    const [event, first, second] = args;
    if (!isActive || !PASSED.has(event)) return emit.apply(this, args);
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
  server.emit = watched;
  return () => {
    isActive = false;
    if (server.emit !== watched) return;
    if (wasOwn) server.emit = emit;
    else Reflect.deleteProperty(server, 'emit');
  };
}

function isResponse(value: unknown): value is ServerResponse {
  return typeof value === 'object' && value !== null && 'writeHead' in value;
}
