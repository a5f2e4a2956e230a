import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { RpcServer } from './rpc-server.js';
import { TcpIntake } from './intake.js';

const servers: Server[] = [];
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A server of TCP whose connections are followed, and what connects to it. */
async function followed() {
  const net = createServer();
  servers.push(net);
  const intake = TcpIntake.of({ unwrap: () => net } as Partial<RpcServer> as RpcServer)!;
  net.listen(0, '127.0.0.1');
  await once(net, 'listening');
  /** The side of the server of a new connection, and how often it was paused. */
  const open = async () => {
    const accepted = once(net, 'connection') as Promise<[Socket]>;
    const client = connect((net.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    clients.push(client.resume());
    const [socket] = await accepted;
    const seen = { client, socket, paused: 0 };
    const pause = socket.pause.bind(socket);
    socket.pause = () => {
      seen.paused += 1;
      return pause();
    };
    return seen;
  };
  return { intake, open };
}

describe('the connections of a TCP server', () => {
  it('are read no more once its intake has stopped, and end after what was written', async () => {
    const { intake, open } = await followed();
    const { client, socket } = await open();
    let text = '';
    client.on('data', (chunk) => (text += String(chunk)));
    await intake.stop();
    expect(socket.isPaused()).toBe(true);
    socket.write('answer');
    const ended = once(client, 'end');
    await intake.flush();
    await ended;
    expect(text).toBe('answer');
  });

  it('that come later are ended at once', async () => {
    const { intake, open } = await followed();
    await intake.stop();
    const { client } = await open();
    await once(client, 'end');
  });

  it('are forgotten when they close', async () => {
    const { intake, open } = await followed();
    const [gone, here] = [await open(), await open()];
    const closed = once(gone.socket, 'close');
    gone.client.destroy();
    await closed;
    await intake.stop();
    expect([gone.paused, here.paused]).toEqual([0, 1]);
  });

  it('are not followed where the server does not show itself', () => {
    expect(TcpIntake.of({} as RpcServer)).toBeNull();
    expect(TcpIntake.of({ unwrap: () => ({}) } as Partial<RpcServer> as RpcServer)).toBeNull();
  });
});
