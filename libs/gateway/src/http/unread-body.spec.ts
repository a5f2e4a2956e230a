import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sendEndless } from '../fixtures/endless.fixture.js';
import { gatekeeper } from '../fixtures/gatekeeper.fixture.js';
import { rawHttp, statusesIn } from '../fixtures/raw-http.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { type Served, serve } from '../fixtures/serve.fixture.js';
import { Gateway } from './gateway.js';
import type { GatewayOptions } from './gateway-options.js';
import { webSockets } from './websocket/web-sockets.js';

const rig = useRig();
const guarded = useRig('in-process', [gatekeeper().interceptor]);

let served: Served;
const sockets: Socket[] = [];
afterEach(async () => {
  sockets.length = 0;
  await served.close();
});

async function start(upstream = rig.upstream, options: GatewayOptions = {}): Promise<number> {
  const gateway = new Gateway(rig.registry, upstream, { mount: '/api', ...options });
  served = await serve(gateway.handle);
  gateway.serveUpgrades(served.server);
  served.server.on('connection', (socket: Socket) => sockets.push(socket));
  return served.port;
}

const WHOLE = 'POST /api/v1/whole HTTP/1.1\r\nhost: x\r\n';
const POST = `${WHOLE}content-type: application/json\r\n`;
const TEXT = `${WHOLE}content-type: text/plain\r\n`;
const MIB = 1024 * 1024;

describe('a body that is not read to its end', () => {
  it.each<[string, string, number]>([
    ['of another media type', TEXT, 415],
    ['beyond the limit', POST, 413],
    ['where the rule has none', 'GET /api/v1/query HTTP/1.1\r\nhost: x\r\n', 400],
    ['below the mount path, to nothing', 'POST /api/nothing HTTP/1.1\r\nhost: x\r\n', 404],
    ['with another method', 'PUT /api/v1/query HTTP/1.1\r\nhost: x\r\n', 405],
    ['of a preflight', 'OPTIONS /api/v1/query HTTP/1.1\r\nhost: x\r\n', 204],
    ['of a stream of requests', 'POST /api/v1/sum HTTP/1.1\r\nhost: x\r\n', 501],
  ])('%s is answered, and its connection closed', async (_what, head, status) => {
    const { answer, sent } = await sendEndless(await start(), head, 64 * MIB);
    expect(statusesIn(answer)).toEqual([status]);
    expect(answer).toMatch(/\r\nconnection: (\w+, )?close\r\n/i);
    expect(sent).toBeLessThan(32 * MIB);
  });

  it('of a caller who is not let in is answered, and its connection closed', async () => {
    const { answer, sent } = await sendEndless(await start(guarded.upstream), POST, 64 * MIB);
    expect(statusesIn(answer)).toEqual([401]);
    expect(sent).toBeLessThan(32 * MIB);
  });

  it('leaves the answer readable for a client that reads when it has sent 3 MB', async () => {
    const port = await start(rig.upstream, { maxBodyBytes: 100 });
    const socket = connect(port, '127.0.0.1').pause();
    const length = 3 * MIB;
    await new Promise((sent) => socket.write(`${POST}content-length: ${length}\r\n\r\n`, sent));
    await new Promise((sent) => socket.write(Buffer.alloc(length, ' '), sent));
    let answer = '';
    socket.on('data', (data) => (answer += String(data))).resume();
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*more than 100 bytes/);
  });

  it('is not what a short body is, whose connection goes on', async () => {
    const client = await rawHttp(await start());
    const request = `${TEXT}content-length: 4\r\n\r\nbody`;
    await client.send(request);
    await client.until('send application/json"');
    await client.send(`${request}GET /api/v1/query?str=after HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(statusesIn(await client.until('"str":"after"'))).toEqual([415, 415, 200]);
    client.socket.destroy();
  });

  it('does not keep a connection for a client that never closes its side', async () => {
    const port = await start();
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).resume();
    socket.write(`${TEXT}content-length: 1000\r\n\r\n`);
    await once(socket, 'end');
    await once(sockets[0]!, 'close');
    expect(socket.writable).toBe(true);
    socket.destroy();
  });
});

it('a refused handshake of a WebSocket does not keep a connection that its client never closes', async () => {
  const port = await start(rig.upstream, { webSockets: webSockets() });
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  socket.write(
    'GET /api/v1/chat HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  );
  await once(socket, 'end');
  expect(statusesIn(answer)).toEqual([426]);
  await once(sockets[0]!, 'close');
  socket.destroy();
});

it('a stream of HTTP/2 whose body is not read to its end is reset with NO_ERROR', async () => {
  const gateway = new Gateway(rig.registry, rig.upstream, { maxBodyBytes: 100 });
  const server = createHttp2Server((req, res) =>
    gateway.handle(req as unknown as IncomingMessage, res as unknown as ServerResponse),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  served = await serve(gateway.handle);
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = session.request({ ':method': 'POST', ':path': '/v1/whole' }, { endStream: false });
  stream.write('x'.repeat(50));
  stream.write('x'.repeat(100));
  const [headers] = (await once(stream.resume(), 'response')) as [{ ':status'?: number }];
  await once(stream, 'close');
  expect([headers[':status'], stream.rstCode]).toEqual([413, 0]);
  await new Promise<void>((closed) => session.close(closed));
  await new Promise((closed) => server.close(closed));
});
