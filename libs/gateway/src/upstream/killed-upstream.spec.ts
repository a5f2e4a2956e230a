import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { talk } from '../fixtures/talk.fixture.js';
import { webSockets } from '../http/websocket/web-sockets.js';
import { networkUpstream } from './network-upstream.js';

/**
 * A server of grpc-js that says `called` for each call and answers none; `headers` sends them
 * first, `shutdown` ends it as the server's own code may.
 */
const SERVER = `
  import { Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
  const told = new Set(process.argv.slice(1));
  const server = new Server();
  const method = (path, requestStream, responseStream) => ({
    path, requestStream, responseStream,
    requestSerialize: (it) => it, requestDeserialize: (it) => it,
    responseSerialize: (it) => it, responseDeserialize: (it) => it,
  });
  const handle = (call) => {
    call.on('error', () => {});
    if (told.has('headers')) call.sendMetadata(new Metadata());
    // A server's headers leave with the turn.
    setTimeout(() => {
      console.log('called');
      if (told.has('shutdown')) server.forceShutdown();
    }, 50);
  };
  const service = (name, methods) => server.addService(methods, Object.fromEntries(Object.keys(methods).map((it) => [it, handle])));
  service('echo', { query: method('/transcoding.v1.EchoService/Query', false, false) });
  service('stream', {
    count: method('/transcoding.v1.StreamService/Count', false, true),
    chat: method('/transcoding.v1.StreamService/Chat', true, true),
  });
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_error, port) => console.log(port));
`;

describe.each(['grpc-js', 'http2'] as const)(
  'over %s, a server that ends during a call',
  (stack) => {
    const rig = useRig();
    const ends: (() => void)[] = [];
    afterEach(() => {
      for (const end of ends.splice(0)) end();
    });

    /** Starts a server and a gateway to it; `called` resolves with the server's next call. */
    async function start(...told: string[]) {
      const server = spawn(process.execPath, ['--input-type=module', '-e', SERVER, ...told], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines = createInterface(server.stdout);
      const [endpoint] = (await once(lines, 'line')) as [string];
      const upstream = networkUpstream({ endpoint: `127.0.0.1:${endpoint}`, stack });
      ends.push(
        () => upstream.close(),
        () => server.kill('SIGKILL'),
      );
      const port = await rig.start({ webSockets: webSockets() }, upstream);
      const called = once(lines, 'line');
      return { port, server, called };
    }

    const kill = ({ server, called }: { server: ChildProcess; called: Promise<unknown> }) =>
      called.then(() => server.kill('SIGKILL'));

    const UNAVAILABLE = {
      status: 503,
      json: { code: 'UNAVAILABLE', detail: 'the service is unavailable' },
    };

    describe.each(['/v1/query', '/v1/count?to=1'])('%s', (path) => {
      it.each([
        ['before its headers', []],
        ['after its headers', ['headers']],
      ])('is answered with 503 when the server is killed %s', async (_when, told) => {
        const started = await start(...told);
        const [answer] = await Promise.all([ask(started.port, path), kill(started)]);
        expect(answer).toMatchObject(UNAVAILABLE);
      });

      it.each([
        ['before its headers', ['shutdown']],
        ['after its headers', ['shutdown', 'headers']],
      ])('is answered with 503 when the server cuts it off %s', async (_when, told) => {
        const { port } = await start(...told);
        expect(await ask(port, path)).toMatchObject(UNAVAILABLE);
      });
    });

    it('closes a WebSocket with 4014, UNAVAILABLE, when it is killed', async () => {
      const started = await start('headers');
      const { closed } = await talk(started.port, '/v1/chat');
      await kill(started);
      expect(await closed).toEqual([4_014, 'UNAVAILABLE']);
    });
  },
);
