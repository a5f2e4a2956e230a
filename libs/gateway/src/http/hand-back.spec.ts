import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { H2C_OFFER, rawHttp, statusesIn } from '../fixtures/raw-http.fixture.js';
import { takeUpgrades } from './upgrades.js';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  }
});

async function listen(server: Server): Promise<number> {
  open.push(server);
  takeUpgrades(server, () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const offer = (path: string, ...headers: string[]): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${H2C_OFFER}${headers.map((it) => `${it}\r\n`).join('')}\r\n`;

describe('responses in front of an offer of an upgrade', () => {
  /** Writes ten chunks, each once the response has drained; then the path. */
  const large: Handler = (req, res) => {
    let left = 10;
    const go = (): void => {
      while (left-- > 0) {
        if (!res.write(Buffer.alloc(100_000, 'x'))) return void res.once('drain', go);
      }
      res.end(`<${req.url}>`);
    };
    go();
  };
  const pathsIn = (text: string): string[] =>
    [...text.matchAll(/<(.*?)>/g)].map(([, path = '']) => path);

  it('a response that waits for drain is sent whole, and so is the one behind it', async () => {
    const client = await rawHttp(await listen(createServer(large)));
    await client.send(get('/first') + offer('/last'));
    expect(pathsIn(await client.until('</last>'))).toEqual(['/first', '/last']);
  });

  it('a request is not lost when Node has stopped reading because of responses', async () => {
    const server = createServer((req, res) => {
      if (req.url === '/first') res.end(Buffer.alloc(8_000_000, 'x'));
      else large(req, res);
    });
    const port = await listen(server);
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = await rawHttp(port);
    client.socket.pause();
    const [blocked] = await accepted;
    await client.send(get('/first'));
    while (!blocked.writableNeedDrain) await new Promise((resolve) => setImmediate(resolve));
    const before = blocked.bytesRead;
    await client.send(get('/second') + offer('/third') + get('/last'));
    while (blocked.bytesRead === before) await new Promise((resolve) => setImmediate(resolve));
    client.socket.resume();
    expect(pathsIn(await client.until('</last>'))).toEqual(['/second', '/third', '/last']);
  });

  it('a request behind a response that closes the connection is not served', async () => {
    const seen: string[] = [];
    const server = createServer((req, res) => {
      seen.push(req.url ?? '');
      res.setHeader('connection', 'close');
      // Later than the offer behind it is read.
      setImmediate(() => res.end(`<${req.url}>`));
    });
    const client = await rawHttp(await listen(server));
    await client.send(get('/last') + offer('/behind'));
    expect(pathsIn(await client.closed())).toEqual(['/last']);
    expect(seen).toEqual(['/last']);
  });

  it('a response that has drained does not say that it needs to', async () => {
    const needs: boolean[] = [];
    const port = await listen(
      createServer((req, res) => {
        if (req.url === '/last') return void res.end('</last>');
        while (res.write(Buffer.alloc(100_000)));
        needs.push(res.writableNeedDrain);
        res.once('drain', () => {
          needs.push(res.writableNeedDrain);
          while (res.write(Buffer.alloc(100_000)));
          needs.push(res.writableNeedDrain);
          res.once('drain', () => res.end());
        });
      }),
    );
    const client = await rawHttp(port);
    await client.send(get('/first') + offer('/last'));
    await client.until('</last>');
    expect(needs).toEqual([true, false, true]);
  });

  it('a request is not served in the context of the one whose response it waited for', async () => {
    const user = new AsyncLocalStorage<string>();
    const seen: string[] = [];
    let answer = (): void => {};
    const port = await listen(
      createServer((req, res) => {
        seen.push(`${req.url} ${user.getStore()}`);
        if (req.url === '/alice') user.run('alice', () => (answer = () => void res.end('alice')));
        else res.end(`<${req.url}>`);
      }),
    );
    const client = await rawHttp(port);
    await client.send(get('/alice') + offer('/next'));
    while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    user.run('alice', () => answer());
    await client.until('</next>');
    await client.send(get('/later'));
    await client.until('</later>');
    expect(seen).toEqual(['/alice undefined', '/next undefined', '/later undefined']);
  });
});

describe.each([
  ['HTTP', (handler: Handler): Server => createServer(handler), 'connection', false],
  [
    'HTTPS',
    (handler: Handler): Server => createTlsServer({ cert: CERTIFICATE, key: KEY }, handler),
    'secureConnection',
    true,
  ],
])('a connection over %s', (_name, create, event, secure) => {
  it('a connection with many offers is one connection, with the listeners of one', async () => {
    const server = create((req, res) => void req.resume().on('end', () => res.end(`<${req.url}>`)));
    const sockets: Socket[] = [];
    // As Nest does with forceCloseConnections.
    server.on(event, (socket: Socket) => {
      sockets.push(socket);
      socket.on('close', () => {});
    });
    const port = await listen(server);
    const client = await rawHttp(port, secure);
    const counts: number[] = [];
    for (let i = 0; i < 100; i += 1) {
      await client.send(offer(`/${i}`, 'Content-Length: 4') + 'body');
      await client.until(`</${i}>`);
      const [socket] = sockets;
      if (i % 99 === 0 && socket) {
        counts.push(socket.eventNames().reduce((sum, it) => sum + socket.listenerCount(it), 0));
      }
    }
    expect(sockets.length).toBe(1);
    expect(counts[1]).toBe(counts[0]);
  });
});

it('a head at the limit is not longer when it is handed back', async () => {
  const head = offer('/whole', `Connection:${'a,'.repeat(400)}a`);
  const statusWith = async (maxHeaderSize: number): Promise<number | undefined> => {
    const port = await listen(createServer({ maxHeaderSize }, (_req, res) => res.end('whole')));
    const client = await rawHttp(port);
    await client.send(head);
    client.socket.end();
    return statusesIn(await client.closed())[0];
  };
  let refused = 100;
  let accepted = 4_000;
  while (accepted - refused > 1) {
    const size = Math.floor((accepted + refused) / 2);
    if ((await statusWith(size)) === 431) refused = size;
    else accepted = size;
  }
  expect(accepted).toBeLessThan(head.length);
});

describe('a server with a lenient parser', () => {
  it.each(['\0', '\r'])(
    'a request is refused when its head cannot be written again because of %j',
    async (character) => {
      const seen: string[] = [];
      const server = createServer({ insecureHTTPParser: true }, (req, res) => {
        seen.push(req.url ?? '');
        res.end();
      });
      const port = await listen(server);
      const client = await rawHttp(port);
      const smuggled = get('/smuggled');
      const hidden = `X: a${character}Content-Length: 0`;
      await client.send(offer('/whole', hidden, `Content-Length: ${smuggled.length}`) + smuggled);
      client.socket.end();
      expect(statusesIn(await client.closed())).toEqual([400]);
      expect(seen).toEqual([]);
    },
  );
});
