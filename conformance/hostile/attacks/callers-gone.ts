import { randomBytes } from 'node:crypto';
import { httpCall } from '../http-call.js';
import { bodyAt, oneOf, usual } from '../knock.js';
import { rawSocket } from '../raw-socket.js';
import type { Attack } from '../row.js';
import type { Door } from '../site.js';
import { streamRequest } from './unread-answers.js';

/** More than an HTTP/2 server lets be reset before it ends a connection: 1,000, and 33 a second. */
const CALLERS = 1_500;
const AT_ONCE = 100;
const PATIENCE_MS = 5_000;

/** Asks for a stream that does not end, or for a conversation. */
const opening = (door: Door): string | Buffer =>
  door.startsWith('Connect') || door.startsWith('gRPC-Web') || door === 'MCP'
    ? streamRequest(door, 'Porch/Watch')
    : door.startsWith('SSE')
      ? 'GET /api/v1/porch:watch HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n'
      : 'GET /api/v1/porch:talk HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`;

async function open(port: number, door: Door) {
  const raw = await rawSocket(port);
  raw.socket.write(opening(door));
  await raw.until(/\r\n\r\n/, PATIENCE_MS);
  return raw;
}

/** What becomes of the stream of another caller while something is done by the thousand. */
async function meanwhile(port: number, stream: Door, work: () => Promise<void>): Promise<string> {
  const other = await open(port, stream);
  let left = CALLERS;
  const one = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  const before = other.received().length;
  await new Promise<void>((resolve) => {
    other.socket.once('data', () => resolve()).once('close', () => resolve());
    setTimeout(resolve, PATIENCE_MS).unref();
  });
  const news = other.received().slice(before);
  other.socket.destroy();
  return news.includes('data:') && !news.includes('event: status') ? 'the other goes on' : news;
}

const streamBeside = (door: Door): Door =>
  door.endsWith('over the network') ? 'SSE over the network' : 'SSE';

/** Many open a stream or a conversation and leave. */
export const comeAndGo: Attack = async (site, door) =>
  meanwhile(site.portOf(door), streamBeside(door), async () => {
    const raw = await open(site.portOf(door), door);
    raw.socket.destroy();
  });

/** Many send what nobody can read. */
export const unreadable: Attack = async (site, door) => {
  const port = site.portOf(door);
  const statuses = new Set<number>();
  const other = await meanwhile(port, streamBeside(door), async () => {
    const request = { ...usual(door, 'porch'), body: bodyAt(door, '{', 'porch') };
    const { status } = await httpCall(port, request);
    statuses.add(status);
  });
  return `${oneOf([...statuses].map(String))}; ${other}`;
};
