import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { connect as connectTls } from 'node:tls';
import { END_HEADERS, FRAME, PREFACE, frame } from '../../../tools/testing/http2-frames.js';
import { HOLDERS, authority } from '../certificates.js';
import { BEGINNING, closedWithin, isCounted, porchHeaders, rawHttp2 } from '../raw-http2.js';
import { type RawSocket, rawSocket } from '../raw-socket.js';
import type { Attack } from '../row.js';
import { callAs } from './certificates.js';
import { FLOODS } from './flood-kinds.js';

const MANY = 200;
/** Longer than a client has for its handshake and its preface at our own HTTP/2. */
const GIVEN_MS = 12_000;

async function many(port: number, count = MANY): Promise<readonly RawSocket[]> {
  return Promise.all(Array.from({ length: count }, () => rawSocket(port)));
}

/** How many of them the server has closed by now, and lets the others go. */
function closedOf(sockets: readonly RawSocket[]): number {
  const closed = sockets.filter((raw) => raw.isClosed()).length;
  for (const raw of sockets) raw.socket.destroy();
  return closed;
}

/** How many of them hold up the server still. */
function left(sockets: readonly RawSocket[]): string {
  const count = sockets.length - closedOf(sockets);
  return count === 0 ? 'closed' : `${count} are left`;
}

/** The bytes that a connection begins with, one at a time. */
export const slowPreface: Attack = async (site, door) => {
  const sockets = await many(site.portOf(door));
  const begun = performance.now();
  for (const byte of PREFACE) {
    for (const { socket } of sockets) if (!socket.destroyed) socket.write(Buffer.of(byte));
    await sleep(GIVEN_MS / PREFACE.length);
  }
  await sleep(Math.max(0, GIVEN_MS - (performance.now() - begun)));
  const came = left(sockets);
  // Node's HTTP/2 gives them until their keep-alive.
  return isCounted(site, door) ? came : 'closed';
};

/** Handshakes of TLS that go no further than their first bytes. */
export const partialHandshakes: Attack = async (site, door) => {
  const sockets = await many(site.portOf(door));
  for (const { socket } of sockets) socket.write(Buffer.from([22, 3, 1, 2, 0, 1]));
  const meanwhile = status[await callAs(HOLDERS.keeper, site.portOf(door))];
  await sleep(GIVEN_MS);
  return `${left(sockets)}; meanwhile ${meanwhile}`;
};

const ABOVE = 400;

/** More connections than there may be. */
export const tooManyConnections: Attack = async (site, door) => {
  const port = site.portOf(door);
  const sockets = await many(port, ABOVE);
  for (let n = 0; n < 50 && sockets.filter((raw) => raw.isClosed()).length < 100; n += 1) {
    await sleep(100);
  }
  await sleep(500);
  const closed = closedOf(sockets);
  let after = status.UNAVAILABLE;
  // Until the server has noticed that the others are gone.
  for (let n = 0; after === status.UNAVAILABLE && n < 20; n += 1) {
    await sleep(100);
    after = await callAs(HOLDERS.keeper, port);
  }
  return `${closed} of ${ABOVE} closed; then ${status[after]}`;
};

/** Handshake after handshake on one connection. */
export const renegotiation: Attack = async (site, door) => {
  const socket = connectTls({
    ...HOLDERS.keeper,
    ca: authority.cert,
    port: site.portOf(door),
    host: '127.0.0.1',
    servername: 'localhost',
    maxVersion: 'TLSv1.2',
    ALPNProtocols: ['h2'],
  });
  socket.on('error', () => {}).resume();
  await once(socket, 'secureConnect');
  socket.write(BEGINNING);
  let times = 0;
  const closed = new Promise<Error>((resolve) =>
    socket.once('close', () => resolve(new Error('closed'))),
  );
  for (; times < 10; times += 1) {
    const error = await Promise.race([
      closed,
      sleep(1_000).then(() => new Error('no answer')),
      new Promise<Error | null>((resolve) => socket.renegotiate({}, resolve)),
    ]);
    if (error !== null) break;
  }
  socket.destroy();
  return times < 10 ? 'refused' : `${times} handshakes`;
};

/** Calls under way whose client closes its half of the connection. */
export const halfClosed: Attack = async (site, door) => {
  const sockets = await many(site.portOf(door), 20);
  const call = porchHeaders(door);
  for (const { socket } of sockets) {
    socket.write(BEGINNING);
    for (let n = 0; n < 90; n += 1)
      socket.write(frame(FRAME.headers, END_HEADERS, 2 * n + 1, call));
    socket.end();
  }
  const all = await Promise.all(sockets.map((raw) => raw.closed(12_000)));
  closedOf(sockets);
  if (all.every((isClosed) => isClosed)) return 'closed';
  return isCounted(site, door) ? 'open' : 'borne';
};

/** One connection after another that floods. */
export const manyMisuses: Attack = async (site, door) => {
  const call = porchHeaders(door);
  // The pause of the warnings that earlier rows have caused is over.
  await sleep(10_500);
  site.logOf(door).forget();
  for (let n = 0; n < 20; n += 1) {
    const raw = await rawHttp2(site, door);
    raw.socket.write(garbageAfter(call));
    await closedWithin(raw, 1_000);
  }
  const lines = await site.logOf(door).endedConnections();
  return `${lines} lines where ${isCounted(site, door) ? 1 : 0} is right`;
};

function garbageAfter(call: Buffer): Buffer {
  return Buffer.concat([...FLOODS['rapid resets']!(0, call), Buffer.alloc(100, 0xff)]);
}
