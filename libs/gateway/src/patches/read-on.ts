import { AsyncResource } from 'node:async_hooks';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

/** The members of a server's socket beyond its types, in Node 20 to 26 at least. */
interface Busy extends Duplex {
  /** The response that is being sent. */
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Calls a function once the responses to the requests in front of an upgrade are sent, which a
 * client may pipeline. It runs in the context of its caller: that of a response would be the
 * context of every later request on the connection.
 */
export function afterResponses(socket: Duplex, then: () => void): void {
  const busy: Busy = socket;
  if (!busy._httpMessage) {
    then();
    return;
  }
  const stopPassing = forwardDrains(busy);
  waitFor(
    busy,
    AsyncResource.bind(() => {
      stopPassing();
      then();
    }),
  );
}

function waitFor(socket: Busy, then: () => void): void {
  const { _httpMessage: response } = socket;
  if (!response) then();
  else response.once('close', () => waitFor(socket, then));
}

/** Node has removed its listener, and a response that waits for `drain` would never end. */
function forwardDrains(socket: Busy): () => void {
  const onDrain = (): void => {
    const { _httpMessage: response } = socket;
    if (!response || response.writableEnded) return;
    // The response's own is reset by the listener that was removed.
    Object.defineProperty(response, 'writableNeedDrain', {
      get: () => socket.writableNeedDrain,
      configurable: true,
    });
    response.emit('drain');
  };
  socket.on('drain', onDrain);
  return () => void socket.off('drain', onDrain);
}

/** Node's own listener for `connection`, which it exports without documentation. */
// Why: docs/decisions/0130
const { _connectionListener: beginParsing } = process.getBuiltinModule('node:http') as {
  _connectionListener?: (this: Server, socket: Duplex) => void;
};

/**
 * Makes Node's HTTP parser read from a connection that it has handed over. Avoids the event if possible:
 * code that counts connections would add its listeners again at each request.
 */
export function parseAgain(server: Server, socket: Duplex): void {
  if (beginParsing !== undefined) beginParsing.call(server, socket);
  else server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket);
}
