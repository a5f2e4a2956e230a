import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
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
