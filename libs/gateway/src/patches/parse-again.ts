import * as http from 'node:http';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

/** Node's own listener for `connection`, which it exports without a word about it. */
// Why: docs/decisions/0130
const { _connectionListener: beginParsing } = http as {
  _connectionListener?: (this: Server, socket: Duplex) => void;
};

/**
 * Has Node's HTTP parser read from a connection that it has handed over. Not by the event where it
 * can be avoided: whoever counts connections would add its listeners again at each request.
 */
export function parseAgain(server: Server, socket: Duplex): void {
  if (beginParsing !== undefined) beginParsing.call(server, socket);
  else server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket);
}
