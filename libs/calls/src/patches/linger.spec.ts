import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import { closeLater } from './close-connection.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

describe('a connection that ends with the answer to an incomplete request', () => {
  it('closes this side at once, and the other when its client has', async () => {
    let socket: Socket | undefined;
    const server = createServer((req, res) => {
      ({ socket } = req);
      closeLater(req);
      res.writeHead(413, { connection: 'close' }).end('too large');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    closing.push(
      () => client.destroy(),
      () => void server.close(),
    );
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nfirst');
    let answer = '';
    client.on('data', (bytes) => (answer += bytes.toString()));
    await once(client, 'end');
    expect([answer.includes('too large'), socket!.destroyed]).toEqual([true, false]);
    const closed = new Promise((resolve) => socket!.once('close', resolve));
    client.end();
    await closed;
  });
});

describe('the rest of the body of a refused request', () => {
  /** Refuses what has `x-refuse`, and answers others with how many bytes their body has. */
  async function serve(onRefusal?: (req: IncomingMessage) => void): Promise<number> {
    const server = createServer((req, res) => {
      if (req.headers['x-refuse'] === undefined) {
        let bytes = 0;
        req.on('data', (part: Buffer) => (bytes += part.length));
        req.on('end', () => res.end(`${bytes} bytes`));
        return;
      }
      onRefusal?.(req);
      closeLater(req);
      res.writeHead(413, { connection: 'close' }).end('too large');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closing.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return (server.address() as AddressInfo).port;
  }

  /** Sends a request with the first bytes of a body. */
  async function begin(port: number, length: number, header = ''): Promise<Socket> {
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    closing.push(() => client.destroy());
    client.on('error', () => {});
    client.write(`POST / HTTP/1.1\r\nHost: a\r\n${header}Content-Length: ${length}\r\n\r\nfirst`);
    await once(client, 'connect');
    return client;
  }

  const answerOf = async (client: Socket): Promise<string> =>
    String(((await once(client, 'data')) as [Buffer])[0]);

  it('is skipped without a part of it being made, and ends as ever', async () => {
    let refused: IncomingMessage | undefined;
    const port = await serve((req) => (refused = req));
    const client = await begin(port, 1_000_005, 'X-Refuse: 1\r\n');
    expect(await answerOf(client)).toContain('too large');
    const pushed: number[] = [];
    const push = refused!.push.bind(refused);
    refused!.push = (part: Buffer | null) => {
      pushed.push(part === null ? 0 : part.length);
      return push(part);
    };
    const ended = once(refused!, 'end');
    client.write(Buffer.alloc(1_000_000));
    await ended;
    // The end alone.
    expect(pushed).toEqual([0]);
    await until(() => refused!.socket.destroyed);
  });

  it.each(['has sent it', 'has gone'])(
    'leaves nothing in the parser of the connection, which serves others when its client %s',
    async (how) => {
      let closed: Promise<unknown> | undefined;
      const port = await serve(({ socket }) => {
        closed = new Promise((resolve) => socket.once('close', resolve));
      });
      for (let turn = 0; turn < 3; turn++) {
        const refused = await begin(port, 10, 'X-Refuse: 1\r\n');
        expect(await answerOf(refused)).toContain('too large');
        if (how === 'has gone') refused.destroy();
        else refused.end('after');
        refused.resume();
        await closed;
        const client = await begin(port, 10);
        client.write('after');
        expect(await answerOf(client)).toContain('10 bytes');
        client.destroy();
      }
    },
  );

  it('is read by who listens to it', async () => {
    let read = '';
    const port = await serve((req) => void req.on('data', (part) => (read += String(part))));
    const client = await begin(port, 10, 'X-Refuse: 1\r\n');
    expect(await answerOf(client)).toContain('too large');
    client.write('after');
    await until(() => read === 'firstafter');
  });

  it('is read no further soon after 4 MiB', async () => {
    let refused: IncomingMessage | undefined;
    const port = await serve((req) => (refused = req));
    const client = await begin(port, 2 ** 32, 'X-Refuse: 1\r\n');
    expect(await answerOf(client)).toContain('too large');
    const part = Buffer.alloc(2 ** 20);
    const pour = (): void => {
      while (!client.destroyed && client.write(part));
    };
    client.on('drain', pour);
    pour();
    const { socket } = refused!;
    await until(() => socket.isPaused());
    const { bytesRead } = socket;
    expect(bytesRead).toBeGreaterThan(2 ** 22);
    for (let turn = 0; turn < 50; turn++) await new Promise((next) => setImmediate(next));
    expect(socket.bytesRead).toBe(bytesRead);
  });
});
