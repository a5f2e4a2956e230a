import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterResponses, parseAgain } from '../patches/read-on.js';
import type { HeadStop } from '../patches/stop-at-head.js';

/** Headers that are there for the upgrade alone; the latter is of the retired `h2c`. */
const OF_THE_UPGRADE = new Set(['upgrade', 'http2-settings']);

/** How long a list of names and values Node collects; it drops everything after that. */
const MAX_RAW_HEADERS = 2_000;

/** Characters that a parser accepts only in lenient mode. */
const UNSAFE = /[\r\n\0]/;

/**
 * Gives a request that Node took for an upgrade, with its connection, back to the server's own parser,
 * without the offer: so that its body, pipelined requests after it, `Expect` and timeouts work as for any
 * other request. The parser frames it again from the same headers.
 */
export function returnToParser(
  server: Server,
  { onSocket }: HeadStop,
  [req, socket, rest]: [req: IncomingMessage, socket: Duplex, rest: Buffer],
): void {
  // Node has taken its own listener away.
  const onError = (): void => void socket.destroy();
  socket.on('error', onError);
  const mistake = unfitOf(server, req, socket);
  if (mistake === undefined) socket.unshift(Buffer.concat([headOf(req), rest]));
  afterResponses(socket, () => {
    if (socket.destroyed || !socket.writable) return;
    socket.off('error', onError);
    if (mistake !== undefined) refuse(server, socket, mistake);
    else {
      // A response before it may have set the time that a connection may idle.
      (socket as Socket).setTimeout(0);
      parseAgain(server, socket);
      onSocket(socket);
    }
  });
}

/** The reason why a head cannot be written again without a change of its meaning. */
function unfitOf(server: Server, req: IncomingMessage, socket: Duplex): Error | undefined {
  const { maxHeadersCount } = server as { maxHeadersCount: number | null };
  // 0 is not a limit.
  const most = typeof maxHeadersCount === 'number' ? maxHeadersCount * 2 : MAX_RAW_HEADERS;
  // A Content-Length may be among those that were dropped, and its body would be a request.
  if (most > 0 && req.rawHeaders.length >= most) {
    return Object.assign(
      new Error('gateway: too many headers in a request that offers an upgrade'),
      { code: 'HPE_HEADER_OVERFLOW' },
    );
  }
  const wasRead = socket !== req.socket || req.readableLength > 0;
  if (wasRead || [req.url ?? '', ...req.rawHeaders].some((text) => UNSAFE.test(text))) {
    return Object.assign(
      new Error('gateway: a request that offers an upgrade cannot be read again'),
      { code: 'HPE_USER' },
    );
  }
  return undefined;
}

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const key = name.toLowerCase();
    if (OF_THE_UPGRADE.has(key)) continue;
    const value = rawHeaders[i + 1] ?? '';
    // Without a space, so that it is never longer than it was.
    head += `${name}:${key === 'connection' ? withoutUpgrade(value) : value}\r\n`;
  }
  // Byte for byte what was read: Node decodes heads as latin1.
  return Buffer.from(`${head}\r\n`, 'latin1');
}

function withoutUpgrade(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  // Without spaces, so that it is never longer than it was.
  return options.filter((option) => !OF_THE_UPGRADE.has(option.toLowerCase())).join(',');
}

/** As Node does for a request that it cannot parse. */
function refuse(server: Server, socket: Duplex, mistake: Error & { code?: string }): void {
  socket.on('error', () => socket.destroy());
  if (server.emit('clientError', mistake, socket)) return;
  const status =
    mistake.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}
