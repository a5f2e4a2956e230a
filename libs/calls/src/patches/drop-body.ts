import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Node's parser of a connection of HTTP/1: its callbacks are numbered properties of it. */
type Parser = Record<string, unknown>;

/** How often what has come is compared with what may come, in milliseconds. */
const LOOK_MS = 10;

/** Connections whose body is dropped, and at how many bytes each is read no further. */
const dropped = new Map<Socket, number>();
let looking: NodeJS.Timeout | undefined;

/**
 * Makes the parser of a connection skip the rest of a body, without a copy of each part of it, and says whether
 * it does: not where somebody listens to the body, or Node's parser is not as it is known. The connection is
 * read no further soon after `bytes` more have come. The parser gets its callback back with the end of the body
 * or of the connection, since Node uses it for others then.
 */
// Why: docs/decisions/0182
export function dropBody(req: IncomingMessage, bytes: number): boolean {
  const { socket } = req;
  const { parser } = socket as { readonly parser?: Parser | null };
  if (req.listenerCount('data') + req.listenerCount('readable') > 0 || !parser) return false;
  const key = Object.keys(parser).find((name) => nameOf(parser[name]) === 'parserOnBody');
  if (key === undefined) return false;
  const onBody = parser[key];
  parser[key] = undefined;
  const restore = (): void => {
    parser[key] = onBody;
    dropped.delete(socket);
    req.off('end', restore);
    socket.off('close', restore);
  };
  req.prependListener('end', restore);
  socket.prependListener('close', restore);
  dropped.set(socket, socket.bytesRead + bytes);
  looking ??= setInterval(look, LOOK_MS).unref();
  req.resume();
  return true;
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'function' ? value.name : undefined;
}

function look(): void {
  for (const [socket, limit] of dropped) if (socket.bytesRead >= limit) socket.pause();
  if (dropped.size > 0) return;
  clearInterval(looking);
  looking = undefined;
}
