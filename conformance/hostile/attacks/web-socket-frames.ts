import { randomBytes } from 'node:crypto';
import { httpCall } from '../http-call.js';
import { oneOf } from '../knock.js';
import { type RawSocket, rawSocket, statusesIn } from '../raw-socket.js';
import type { Attack } from '../row.js';

const SOCKETS = 100;
const FRAGMENTS = 64 * 1_024;
const HEAD = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';

async function open(port: number): Promise<RawSocket> {
  const raw = await rawSocket(port);
  const key = randomBytes(16).toString('base64');
  raw.socket.write(
    `GET /api/v1/porch:talk HTTP/1.1\r\nHost: x\r\n${HEAD}Sec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await raw.until(/\r\n\r\n/, 5_000);
  return raw;
}

/** A message in fragments of a byte, on 100 sockets at once, which never ends. */
export const fragments: Attack = async (site, door) => {
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => open(site.portOf(door))));
  const first = Buffer.from([0x01, 0x81, 0, 0, 0, 0, 0x20]);
  const next = Buffer.from([0x00, 0x81, 0, 0, 0, 0, 0x20]);
  const batch = Buffer.concat(Array.from({ length: 1_024 }, () => next));
  const results = await Promise.all(
    sockets.map(async (raw) => {
      raw.socket.write(first);
      await raw.pour(batch, { bytes: FRAGMENTS * next.length, ms: 6_000 });
      return (await raw.closed(1_000)) ? 'closed' : 'borne';
    }),
  );
  for (const { socket } of sockets) socket.destroy();
  return oneOf(results);
};

/** A frame that announces 2^62 bytes. */
export const hugeLength: Attack = async (site, door) => {
  const raw = await open(site.portOf(door));
  raw.socket.write(Buffer.from([0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
  const isClosed = await raw.closed(3_000);
  raw.socket.destroy();
  return isClosed ? 'closed' : 'open';
};

/** A handshake with 2,000 headers. */
export const manyHeaders: Attack = async (site, door) => {
  const raw = await rawSocket(site.portOf(door));
  const more = Array.from({ length: 2_000 }, (_, i) => `x-${i}: a\r\n`).join('');
  const key = randomBytes(16).toString('base64');
  raw.socket.write(
    `GET /api/v1/porch:talk HTTP/1.1\r\nHost: x\r\n${HEAD}${more}Sec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  const status = statusesIn(await raw.until(/HTTP\/1\.1 \d[\s\S]*\r\n\r\n/, 3_000));
  raw.socket.destroy();
  return status === '' ? 'no answer' : status;
};

/** A page elsewhere, with the cookie of a keeper. */
export const foreignPage: Attack = async (site, door) => {
  const headers = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    origin: 'https://evil.example',
    cookie: 'session=keeper',
  };
  const { status } = await httpCall(site.portOf(door), { path: '/api/v1/vault:talk', headers });
  return String(status);
};
