import { once } from 'node:events';
import { type ClientHttp2Session, connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Channel, Server, credentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { askWhileClosing } from './ask-while-closing.js';
import { onSession } from './channel-sessions.js';
import { onHttp2Server } from '../../../grpc/src/patches/http2-servers.js';

type Parts = Readonly<Record<string, unknown>>;

const server = createServer().on('stream', (stream) => stream.on('error', () => {}));
const sessions: ClientHttp2Session[] = [];
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});
afterAll(() => void server.close());

/** A session with a stream that stays open. */
async function session(): Promise<ClientHttp2Session> {
  const made = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  sessions.push(made);
  made.request({ ':method': 'POST' }).on('error', () => {});
  await once(made, 'remoteSettings');
  return made;
}

const answerOf = (asked: ClientHttp2Session): Promise<Error | null> =>
  new Promise((resolve) => void asked.ping(resolve));

describe('a session', () => {
  it('of Node is not pinged once it closes, as is relied on', async () => {
    const closing = await session();
    closing.close();
    expect(closing.ping(() => {})).toBeFalsy();
  });

  it('is pinged while it is open, and then asked otherwise until it has ended', async () => {
    const asked = await session();
    askWhileClosing(asked);
    expect(await answerOf(asked)).toBeNull();
    asked.close();
    expect(await answerOf(asked)).toBeNull();
    asked.destroy();
    expect(() => asked.ping(() => {})).toThrow('destroyed');
  });

  it('that is asked leaves others as they are', async () => {
    const [asked, other] = [await session(), await session()];
    askWhileClosing(asked);
    expect([Object.hasOwn(asked, 'ping'), Object.hasOwn(other, 'ping')]).toEqual([true, false]);
  });
});

describe('grpc-js', () => {
  it('has the parts of a channel that are relied on to find its sessions', () => {
    const channel = new Channel('localhost:1', credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
    });
    const { subchannelPool } = (channel as unknown as Parts)['internalChannel'] as Parts;
    const made = Object.getPrototypeOf(subchannelPool) as Parts;
    expect(typeof made['getOrCreateSubchannel']).toBe('function');
    onSession(channel, () => {});
    expect(Object.hasOwn(subchannelPool as object, 'getOrCreateSubchannel')).toBe(true);
    channel.close();
  });

  it('has the part of a server that is relied on to find its HTTP/2 servers', () => {
    const [ours, other] = [new Server(), new Server()];
    const part = (of: Server): unknown => (of as unknown as Parts)['createHttp2Server'];
    const before = part(other);
    expect(typeof before).toBe('function');
    onHttp2Server(ours, () => {});
    expect(part(ours)).not.toBe(before);
    expect(part(other)).toBe(before);
  });
});
