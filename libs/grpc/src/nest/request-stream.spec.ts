import 'reflect-metadata';
import { CALL_STAGE, type CallStage } from '@apix/contracts';
import { type StartedHost, startHost } from '@apix/hostx/testing';
import { describe, expect, it } from '@jest/globals';
import { type CanActivate, Controller, Module, UseGuards } from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { type Observable, count, firstValueFrom, map, tap, toArray } from 'rxjs';
import { call, clientOf, openCall, probe } from '../../../grpc-client/src/client.fixture.js';
import { type Text, probeApp, overEachStack } from '../probe.fixture.js';
import { GrpcServer } from './grpc-server.js';

const [Unary, , ClientStream] = probe.services[0]!.methods;

let letIn: () => void;
const guard: CanActivate = {
  canActivate: () => new Promise((resolve) => (letIn = () => resolve(true))),
};

const texts = (requests: Observable<Text>): Promise<string> =>
  firstValueFrom(
    requests.pipe(
      map(({ stringValue }) => stringValue),
      toArray(),
      map((all) => all.join('')),
    ),
  );

interface Call {
  readonly cancelled: boolean;
}
type Handle = (requests: Observable<Text>, call: Call) => unknown;

/** Serves the client stream with this handler, and tells how many requests were decoded. */
async function serve(handle: Handle, guards: CanActivate[] = []) {
  let decoded = 0;
  const stage: CallStage = {
    [CALL_STAGE]: true,
    name: 'count',
    bind: ({ kind }) => (kind === 'unary' ? null : { onMessage: () => void (decoded += 1) }),
  };
  @Controller()
  class Streams {
    @UseGuards(...guards)
    @GrpcStreamMethod('Probe', 'ClientStream')
    clientStream(requests: Observable<Text>, _: unknown, call: Call): unknown {
      return handle(requests, call);
    }

    @GrpcMethod('Probe', 'Unary')
    unary(request: Text): Text {
      return request;
    }
  }
  @Module({
    imports: [probeApp([Streams])],
    providers: [{ provide: 'stage', useValue: stage }],
  })
  class App {}
  const host: StartedHost = await startHost(App, { http: false });
  const { address } = host.app!.get(GrpcServer);
  return { host, address, client: clientOf(address), decoded: () => decoded };
}

/** A way to an address that can be cut. */
async function cableTo(address: string): Promise<{ address: string; cut: () => void }> {
  const ends: Socket[] = [];
  const cable = createServer((near) => {
    const far = connect(Number(address.split(':')[1]), '127.0.0.1');
    near.pipe(far).pipe(near);
    ends.push(near, far);
    for (const end of [near, far]) end.on('error', () => {});
  });
  await new Promise<void>((resolve) => cable.listen(0, '127.0.0.1', resolve));
  const { port } = cable.address() as AddressInfo;
  const cut = (): void => {
    cable.close();
    for (const end of ends) end.destroy();
  };
  return { address: `127.0.0.1:${port}`, cut };
}

const abc = ['a', 'b', 'c'].map((stringValue) => ({ stringValue }));

overEachStack(() => {
  describe('a handler of a stream of requests', () => {
    it.each<[string, Handle]>([
      ['may await all of them', async (requests) => ({ stringValue: await texts(requests) })],
      [
        'gets all of them once, also where it does something else first',
        async (requests) => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          return { stringValue: await texts(requests) };
        },
      ],
      [
        'gets all of them once, also where it does something else last',
        async (requests) => {
          const stringValue = await texts(requests);
          await new Promise((resolve) => setTimeout(resolve, 20));
          return { stringValue };
        },
      ],
      [
        'may subscribe several times',
        async (requests) => {
          const [one, other] = await Promise.all([texts(requests), texts(requests)]);
          return { stringValue: one === other ? one : `${one} and ${other}` };
        },
      ],
    ])('%s', async (_, handle) => {
      const { client } = await serve(handle);
      const { status, messages } = await call(client, ClientStream, abc);
      expect({ status, messages }).toMatchObject({
        status: 'OK',
        messages: [{ stringValue: 'abc' }],
      });
    });

    it('reads nothing while its guards are still at it', async () => {
      const counted: Handle = (requests) =>
        requests.pipe(
          count(),
          map((n) => ({ stringValue: String(n) })),
        );
      const { client, decoded } = await serve(counted, [guard]);
      const { stream, answer } = openCall(client, ClientStream!);
      for (let n = 0; n < 500; n += 1) stream.write(abc[0]!);
      stream.end();
      // Time enough for 500 messages, where nobody holds them back.
      for (let turns = 0; turns < 20; turns += 1) await call(client, Unary, [{}]);
      const before = decoded();
      letIn();
      expect((await answer).messages).toMatchObject([{ stringValue: '500' }]);
      // As many as a stream of Node's takes ahead.
      expect(before).toBeLessThanOrEqual(17);
    });

    it('may answer without reading them, and holds up no shutdown', async () => {
      const { client, host } = await serve(() => ({ stringValue: 'enough' }));
      const { stream, answer } = openCall(client, ClientStream!);
      stream.write(abc[0]!);
      expect(await answer).toMatchObject({ status: 'OK', messages: [{ stringValue: 'enough' }] });
      expect(await host.stop()).toBeUndefined();
    });

    it('can tell a stream that broke off from one that is complete', async () => {
      const ends: string[] = [];
      const telling: Handle = (requests, call) =>
        requests.pipe(
          tap({ complete: () => ends.push(call.cancelled ? 'broke off' : 'complete') }),
          count(),
          map((n) => ({ stringValue: String(n) })),
        );
      const { address, decoded } = await serve(telling);
      await call(clientOf(address), ClientStream, abc);
      expect(ends).toEqual(['complete']);

      const cable = await cableTo(address);
      const { stream, answer } = openCall(clientOf(cable.address), ClientStream!);
      stream.write(abc[0]!);
      const before = decoded();
      while (decoded() === before) await new Promise((resolve) => setImmediate(resolve));
      cable.cut();
      expect((await answer).status).toBe('UNAVAILABLE');
      while (ends.length < 2) await new Promise((resolve) => setImmediate(resolve));
      expect(ends).toEqual(['complete', 'broke off']);
    });
  });
});
