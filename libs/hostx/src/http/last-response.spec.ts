import { once } from 'node:events';
import { type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { LastResponse } from './last-response.js';

/** What a caller gets of a response that is the last one of its connection. */
async function received(
  write: (response: ServerResponse) => void,
  prepare: (last: LastResponse) => void = () => {},
) {
  const server = createServer((_request, response) => {
    prepare(new LastResponse(response));
    write(response);
    response.end('x');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', headers: { connection: 'keep-alive' } }).end();
  const [answer] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  server.closeAllConnections();
  server.close();
  const { connection, 'x-own': own, 'keep-alive': keepAlive } = answer.headers;
  return { status: `${answer.statusCode} ${answer.statusMessage}`, connection, own, keepAlive };
}

describe('a last response', () => {
  const closes = { status: '200 OK', connection: 'close', own: 'a', keepAlive: undefined };

  it.each<[string, (response: ServerResponse) => void, object]>([
    ['an object', (to) => to.writeHead(200, { connection: 'keep-alive', 'X-Own': 'a' }), closes],
    [
      'an object behind a text of the status',
      (to) => to.writeHead(201, 'Made', { Connection: 'keep-alive', 'x-own': 'a' }),
      { ...closes, status: '201 Made' },
    ],
    [
      'a flat list',
      (to) => to.writeHead(200, ['Keep-Alive', 'timeout=9', 'X-Own', 'a', 'connection', 'x']),
      closes,
    ],
    [
      'a list of pairs',
      (to) =>
        to.writeHead(200, [
          ['Connection', 'keep-alive'],
          ['X-Own', 'a'],
        ] as never),
      closes,
    ],
    ['setHeader', (to) => to.setHeader('Connection', 'keep-alive').setHeader('X-Own', 'a'), closes],
    [
      'setHeader and a text of the status',
      (to) =>
        to.setHeader('X-Own', 'a').setHeader('Keep-Alive', 'timeout=9').writeHead(200, 'Fine'),
      { ...closes, status: '200 Fine' },
    ],
  ])('says Connection: close in place of what %s says', async (_, write, expected) => {
    expect(await received(write)).toEqual(expected);
  });

  it('that is taken back leaves the connection as it was', async () => {
    expect(
      await received(
        () => {},
        (last) => last.takeBack(),
      ),
    ).toMatchObject({
      connection: 'keep-alive',
    });
    const renewed = (last: LastResponse): void => {
      last.takeBack();
      last.renew();
    };
    expect(await received(() => {}, renewed)).toMatchObject({ connection: 'close' });
  });
});
