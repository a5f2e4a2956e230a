import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpDoor } from './http-door.js';

/**
 * Passes every request of a server through the door, also those that its framework answers
 * before any middleware, and connections that are upgraded.
 */
export function watchServer(server: Pick<Server, 'emit'>, door: HttpDoor): void {
  const { emit } = server;
  const watched = function (this: Server, event: string, ...args: unknown[]): boolean {
    let result = false;
    const run = (): void => {
      result = Reflect.apply(emit, this, [event, ...args]) as boolean;
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
  server.emit = watched as Server['emit'];
}
