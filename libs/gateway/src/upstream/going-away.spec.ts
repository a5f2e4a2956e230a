import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { talk } from '../fixtures/talk.fixture.js';
import { webSockets } from '../http/websocket/web-sockets.js';
import { networkUpstream } from './network-upstream.js';

const AGE_MS = 200;
const PING_MS = 50;
/** Long after the connection has gone away, in which many pings are due. */
const CALL_MS = 1_000;

const same = (bytes: Buffer): Buffer => bytes;
const codec = {
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
};
const method = (path: string, requestStream: boolean, responseStream: boolean) => ({
  path: `/transcoding.v1.${path}`,
  requestStream,
  responseStream,
  ...codec,
});

function endLater(call: ServerDuplexStream<Buffer, Buffer>): void {
  setTimeout(() => {
    call.write(Buffer.alloc(0));
    call.end();
  }, CALL_MS);
}

/** Has every call wait, and answers then. */
const slow: Record<string, UntypedHandleCall> = {
  Query: (_call: unknown, done: (error: null, answer: Buffer) => void) =>
    void setTimeout(() => done(null, Buffer.alloc(0)), CALL_MS),
  Count: (call: ServerDuplexStream<Buffer, Buffer>) => {
    call.write(Buffer.alloc(0));
    endLater(call);
  },
  Chat: (call: ServerDuplexStream<Buffer, Buffer>) => {
    call.on('data', () => {});
    endLater(call);
  },
};

describe.each(['grpc-js', 'http2'] as const)(
  'over %s, a server that goes away while its connection is pinged',
  (stack) => {
    const rig = useRig();
    const ends: (() => void)[] = [];
    afterEach(() => {
      for (const end of ends.splice(0)) end();
    });

    async function start(): Promise<number> {
      const server = new Server({ 'grpc.max_connection_age_ms': AGE_MS });
      server.addService(
        {
          Query: method('EchoService/Query', false, false),
          Count: method('StreamService/Count', false, true),
          Chat: method('StreamService/Chat', true, true),
        },
        slow,
      );
      const bound = await new Promise<number>((resolve, reject) => {
        server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
          error === null ? resolve(port) : reject(error),
        );
      });
      const upstream = networkUpstream({
        endpoint: `127.0.0.1:${bound}`,
        stack,
        channelOptions: { 'grpc.keepalive_time_ms': PING_MS },
      });
      ends.push(
        () => upstream.close(),
        () => server.forceShutdown(),
      );
      return rig.start({ webSockets: webSockets() }, upstream);
    }

    it('has its calls answered, of each kind', async () => {
      const port = await start();
      const chat = talk(port, '/v1/chat').then(({ closed }) => closed);
      const [unary, stream] = await Promise.all([
        ask(port, '/v1/query'),
        ask(port, '/v1/count?to=1'),
      ]);
      expect(unary).toMatchObject({ status: 200 });
      expect([stream.status, stream.text]).toEqual([200, '{"result":{}}\n{"result":{}}\n']);
      expect(await chat).toEqual([1_000, 'OK']);
    });
  },
);
