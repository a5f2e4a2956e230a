import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { requestPeer } from './request-peer.js';

it('the peer of a request whose connection is gone has an empty address', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  client.destroy();
  await once(request.socket.resume(), 'close');
  expect(requestPeer(request, false)).toEqual({ address: '' });
  await new Promise((resolve) => server.close(resolve));
});

it('the peer of a request without a socket, as some tests inject it, has an empty address', () => {
  expect(requestPeer({} as IncomingMessage, false)).toEqual({ address: '' });
});
