import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { useRig } from '../../fixtures/rig.fixture.js';
import { talk } from '../../fixtures/talk.fixture.js';
import { webSockets } from './web-sockets.js';

const rig = useRig('in-process');
const start = (): Promise<number> => rig.start({ webSockets: webSockets() });

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const MIB = 1_024 * 1_024;

/** A client's frame, masked with zeros. */
function frame(
  head: number,
  payload: Buffer,
  length = Buffer.from([0x80 | payload.length]),
): Buffer {
  return Buffer.concat([Buffer.from([head]), length, Buffer.alloc(4), payload]);
}

/** A WebSocket that was granted, as its socket. */
async function upgraded(port: number, headers = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const lines = [
    'GET /v1/chat HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ];
  socket.write(`${lines.join('\r\n')}\r\n${headers}\r\n`);
  return socket;
}

/** All that a socket got until it was closed. */
async function received(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.once('end', () => socket.end());
  await once(socket, 'close');
  return Buffer.concat(chunks);
}

/** The code of the close frame at the end. */
const closeCode = (bytes: Buffer): number => bytes.readUInt16BE(bytes.lastIndexOf(0x88) + 2);

async function echoes(port: number): Promise<void> {
  const { ws, received: frames, closed } = await talk(port, '/v1/chat');
  ws.send('{"number":1}');
  await frames(1);
  ws.send('');
  expect(await closed).toEqual([1000, 'OK']);
}

it('a message of 1 MiB in fragments of one byte closes each of 100 WebSockets with 1008', async () => {
  const port = await start();
  await echoes(port);
  collect();
  const before = process.memoryUsage();
  let peak = 0;
  const watch = setInterval(() => {
    const { heapUsed, external } = process.memoryUsage();
    peak = Math.max(peak, heapUsed + external);
  }, 5);
  // The first without and the rest with the continuation's opcode; none of them is the last.
  const fragments = Buffer.concat([
    frame(0x01, Buffer.from(' ')),
    ...Array.from({ length: 64 * 1_024 }, () => frame(0x00, Buffer.from(' '))),
  ]);
  const sockets = await Promise.all(Array.from({ length: 100 }, () => upgraded(port)));
  const answers = sockets.map(received);
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  for (const socket of sockets) socket.write(fragments);
  await echoes(port);
  expect((await Promise.all(answers)).map(closeCode)).toEqual(sockets.map(() => 1_008));
  clearInterval(watch);
  collect();
  const after = process.memoryUsage();
  expect(after.heapUsed).toBeLessThan(before.heapUsed * 1.1 + 2 * MIB);
  expect(peak - before.heapUsed - before.external).toBeLessThan(150 * MIB);
});

it.each([
  ['a length of 64 bits beyond the limit', [0, 0, 0, 0, 0x7f, 0, 0, 0], 1_009],
  ['a length beyond 53 bits', [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 1_009],
])('a frame with %s closes its WebSocket before it is read', async (_, length, code) => {
  const port = await start();
  const socket = await upgraded(port);
  const answer = received(socket);
  await once(socket, 'data');
  const lies = Buffer.from([0xff, ...length]);
  socket.write(frame(0x81, Buffer.from('{"number":1}'), lies));
  expect(closeCode(await answer)).toBe(code);
  await echoes(port);
});

it('a handshake with 2,000 headers is refused with 431', async () => {
  const port = await start();
  const headers = Array.from({ length: 2_000 }, (_, n) => `X-Header-${n}: ${n}\r\n`).join('');
  const socket = await upgraded(port, headers);
  expect(String(await received(socket))).toMatch(/^HTTP\/1\.1 431 /);
  await echoes(port);
});

it('pings of a client that does not read are answered no further than it has room', async () => {
  const port = await start();
  const socket = await upgraded(port);
  await once(socket, 'data');
  socket.pause();
  collect();
  const before = process.memoryUsage().rss;
  const pings = Buffer.concat(Array.from({ length: 4_096 }, () => frame(0x89, Buffer.alloc(125))));
  for (let sent = 0; sent < 100; sent += 1) {
    if (!socket.write(pings)) await once(socket, 'drain');
  }
  await echoes(port);
  expect(process.memoryUsage().rss - before).toBeLessThan(40 * MIB);
  socket.destroy();
});
