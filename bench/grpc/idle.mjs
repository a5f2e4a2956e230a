// What a connection costs in memory that has made one call and is idle:
// `npm --prefix bench run idle -- [--connections 10000] [--only NAME] [CHECKOUT...]`.
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { askServer, withServers } from './servers.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { connections: { type: 'string', default: '10000' }, only: { type: 'string' } },
});
const count = Number(values.connections);
/** So that what is built once, such as compiled code, is there before anything is counted. */
const WARM = 500;
/** How many connect at the same time. */
const AT_ONCE = 100;

const options = { only: values.only, checkouts: positionals, execArgv: ['--expose-gc'] };
await withServers(options, async (targets) => {
  console.log(`${count} idle connections, kB each, Node ${process.version}`);
  console.log(
    `${''.padEnd(44)} ${'heap'.padStart(7)} ${'buffers'.padStart(8)} ${'rss'.padStart(7)}`,
  );
  for (const target of targets) {
    for (const socket of await connections(target.port, WARM)) socket.destroy();
    await settled(target);
    const before = await askServer(target, 'memory');
    const sockets = await connections(target.port, count);
    await settled(target);
    const after = await askServer(target, 'memory');
    for (const socket of sockets) socket.destroy();
    const each = (name) => ((after[name] - before[name]) / count / 1_000).toFixed(1);
    const cells = [
      each('heapUsed').padStart(7),
      each('external').padStart(8),
      each('rss').padStart(7),
    ];
    console.log(`${target.name.padEnd(44)} ${cells.join(' ')}`);
  }
});

/** Twice, since what ends in the turn of a collection is free in the next one. */
async function settled(target) {
  for (let i = 0; i < 2; i++) await askServer(target, 'memory');
}

async function connections(port, wanted) {
  const sockets = [];
  while (sockets.length < wanted) {
    const next = Math.min(AT_ONCE, wanted - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: next }, () => called(port)))));
  }
  return sockets;
}

/** A connection on which one call was answered. */
function called(port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(callBytes(port)));
    let read = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('data', (data) => {
      read = Buffer.concat([read, data]);
      const { isEnded, rest } = framesIn(read, socket);
      read = rest;
      if (!isEnded) return;
      socket.removeAllListeners('data');
      socket.resume();
      resolve(socket);
    });
  });
}

/** Acknowledges settings, and finds the end of the stream. */
function framesIn(bytes, socket) {
  let at = 0;
  let isEnded = false;
  while (bytes.length - at >= 9) {
    const length = bytes.readUIntBE(at, 3);
    if (bytes.length - at < 9 + length) break;
    const type = bytes[at + 3];
    const flags = bytes[at + 4];
    if (type === 4 && (flags & 1) === 0) socket.write(frame(4, 1, 0, Buffer.alloc(0)));
    if (bytes.readUInt32BE(at + 5) === 1 && type <= 1 && (flags & 1) === 1) isEnded = true;
    at += 9 + length;
  }
  return { isEnded, rest: bytes.subarray(at) };
}

/** The preface, settings, and one call with literal headers. */
function callBytes(port) {
  const headers = [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', '/bench.shapes.Shop/Get'],
    [':authority', `127.0.0.1:${port}`],
    ['content-type', 'application/grpc'],
    ['te', 'trailers'],
    ['x-role', 'staff'],
  ];
  const block = Buffer.concat(
    headers.flatMap(([name, value]) => [
      Buffer.from([0, name.length]),
      Buffer.from(name),
      Buffer.from([value.length]),
      Buffer.from(value),
    ]),
  );
  const message = Buffer.from([0, 0, 0, 0, 12, 0x0a, 10, ...Buffer.from('products/1')]);
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(4, 0, 0, Buffer.alloc(0)),
    frame(1, 4, 1, block),
    frame(0, 1, 1, message),
  ]);
}

function frame(type, flags, stream, payload) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
