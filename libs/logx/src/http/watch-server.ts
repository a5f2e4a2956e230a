import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpDoor } from './http-door.js';

/**
 * Passes every request of a server through the door, also those that its framework answers
 * before any middleware, and connections that are upgraded.
 */
export function watchServer(server: Pick<EventEmitter, 'emit'>, door: HttpDoor): void {
  const { emit } = server;
  const watched = function (
    this: EventEmitter,
    event: string | symbol,
    ...args: unknown[]
  ): boolean {
    let result = false;
    const run = (): void => {
      result = emit.call(this, event, ...args);
    };
    switch (event) {
      case 'request':
      case 'checkContinue':
      case 'checkExpectation':
        door.request(args[0] as IncomingMessage, args[1] as ServerResponse, run);
        break;
      case 'upgrade':
      case 'connect':
        door.upgrade(args[0] as IncomingMessage, args[1] as Duplex, run);
        break;
      default:
        run();
    }
    return result;
  };
  server.emit = watched;
}
