import {
  Client,
  Server,
  ServerInterceptingCall,
  type ServerInterceptor,
  credentials,
} from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Duplex } from 'node:stream';
import { boundPort } from '../../../grpc-client/src/bound-port.fixture.js';
import { readOneAhead } from './read-ahead.js';
import { readingOneByOne } from './read-one-by-one.js';

type Call = Readonly<Record<string, unknown>>;
const same = (bytes: Buffer): Buffer => bytes;

/** The innermost calls of a server, as its first interceptor gets them. */
const calls: Call[] = [];
const note: ServerInterceptor = (_, call) => {
  calls.push(call as unknown as Call);
  return new ServerInterceptingCall(call);
};
const server = new Server({ interceptors: [note] });
let client: Client;

beforeAll(async () => {
  const definition = {
    path: '/t.T/Unary',
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
  server.addService(
    { Unary: definition },
    {
      Unary: (_: unknown, answer: (error: null, value: Buffer) => void) =>
        answer(null, Buffer.alloc(1)),
    },
  );
  const port = await boundPort(server);
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  for (const _ of [1, 2]) {
    await new Promise((resolve) => {
      client.makeUnaryRequest('/t.T/Unary', same, same, Buffer.alloc(1), resolve);
    });
  }
});

afterAll(() => {
  client.close();
  server.forceShutdown();
});

describe('the call that grpc-js gives to its innermost interceptor', () => {
  it('has the parts that are relied on', () => {
    const [call] = calls as [Call];
    expect(typeof (call['decoder'] as { readonly write: unknown }).write).toBe('function');
    expect(call['maxReceiveMessageSize']).toBe(4 * 1_024 * 1_024);
    expect(call['maxSendMessageSize']).toBe(-1);
    expect(call['incomingEncoding']).toBe('identity');
    expect(call['readQueue']).toEqual([]);
    expect(typeof call['isReadPending']).toBe('boolean');
    expect(typeof (call['stream'] as { readonly writableLength: unknown }).writableLength).toBe(
      'number',
    );
    for (const method of [
      'decompressAndMaybePush',
      'handleEndEvent',
      'maybePushNextMessage',
      'serializeMessage',
      'sendMetadata',
      'startRead',
      'sendMessage',
      'sendStatus',
    ]) {
      expect([method, Object.hasOwn(call, method), typeof call[method]]).toEqual([
        method,
        false,
        'function',
      ]);
    }
  });

  it('leaves the class and other calls as they are when it is patched', () => {
    const [patched, other] = calls as [Call, Call];
    readingOneByOne({} as never, patched as never);
    expect(patched['startRead']).not.toBe(other['startRead']);
    expect(Object.hasOwn(other, 'startRead')).toBe(false);
    expect(Object.getPrototypeOf(patched)).toBe(Object.getPrototypeOf(other));
  });
});

describe('a stream of Node', () => {
  it('reads one object ahead when it is told so', async () => {
    let read = 0;
    const stream = new Duplex({
      objectMode: true,
      read: () => setImmediate(() => stream.push(++read)),
    });
    readOneAhead(stream as unknown as Parameters<typeof readOneAhead>[0]);
    expect(stream.readableHighWaterMark).toBe(1);
    stream.read(0);
    for (let turns = 0; turns < 20; turns += 1) await new Promise((go) => setImmediate(go));
    expect(read).toBe(1);
  });
});
