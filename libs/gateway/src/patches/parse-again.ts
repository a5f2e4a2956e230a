import * as http from 'node:http';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

/** Node's own listener for `connection`, which it exports without documentation. */
// Why: docs/decisions/0130
const { _connectionListener: beginParsing } = http as {
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
