import { oneOf, usual } from '../knock.js';
import { type RawSocket, rawSocket, statusesIn } from '../raw-socket.js';
import type { Attack } from '../row.js';
import type { Door } from '../site.js';

const CONNECTIONS = 500;
/** The largest that is taken: of a tool's, with room for nothing else. */
const announcedAt = (door: Door): number => (door === 'MCP' ? 2 ** 20 : 4 * 2 ** 20);
const CHUNK = Buffer.alloc(64 * 2 ** 10, ' ');
/** 1 GB is on its way over loopback, and what is refused is read for a while, for its answer to arrive. */
const ANSWERED_MS = 20_000;

function headAt(door: Door): string {
  const { path, headers } = usual(door, 'vault');
  const type = String(headers?.['content-type']);
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${announcedAt(door)}\r\n\r\n`;
}

/** 500 requests that announce the largest body, send half of it where they may, and fall silent. */
export const halfSentBodies: Attack = async (site, door) => {
  const port = site.portOf(door);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => rawSocket(port)));
  const head = headAt(door);
  const answers = await Promise.all(sockets.map((raw) => send(raw, head, announcedAt(door) / 2)));
  for (const { socket } of sockets) socket.destroy();
  return oneOf(answers);
};

async function send(raw: RawSocket, head: string, bytes: number): Promise<string> {
  raw.socket.write(head);
  await raw.pour(CHUNK, { bytes, ms: 8_000 });
  const status = statusesIn(await raw.until(/HTTP\/1\.1 \d/, ANSWERED_MS));
  // What is still being sent when a connection ends may take the answer with it.
  if (status === '') return raw.isClosed() ? 'closed' : 'no answer';
  return status;
}
