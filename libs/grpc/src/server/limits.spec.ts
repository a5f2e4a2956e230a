import 'reflect-metadata';
import { CALL_STAGE, type CallOutcome, type CallStage, Code } from '@apix/contracts';
import { startHost } from '@apix/hostx/testing';

import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { call, clientOf, openCall, probe } from '../../../grpc-client/src/client.fixture.js';
import { Health } from '../../../grpc-client/src/gen/grpc/health/v1/health_pb.js';
import { GrpcServer } from '../nest/grpc-server.js';
import { ObservableController, probeApp, overEachStack } from '../probe.fixture.js';
import type { GrpcModuleOptions } from './grpc-options.js';

const [Unary, , , BidiStream] = probe.services[0]!.methods;
const [, Watch] = Health.methods;

async function serve(options: GrpcModuleOptions) {
  let ended!: (outcome: CallOutcome) => void;
  const outcome = new Promise<CallOutcome>((resolve) => (ended = resolve));
  const stage: CallStage = {
    [CALL_STAGE]: true,
    name: 'log',
    bind: () => ({ onEnd: (_, how) => ended(how) }),
  };
  @Module({
    imports: [probeApp([ObservableController], options)],
    providers: [{ provide: 'stage', useValue: stage }],
  })
  class App {}
  const { app } = await startHost(App, { http: false });
  const { address, port } = app!.get(GrpcServer);
  return { address, port, outcome };
}

const text = (length: number) => ({ stringValue: 'a'.repeat(length) });

overEachStack(() => {
  describe('a message', () => {
    it.each<[string, GrpcModuleOptions, number, string]>([
      ['as long as allowed is served', { maxReceiveBytes: 1_000 }, 900, 'OK'],
      [
        'longer than maxReceiveBytes is refused',
        { maxReceiveBytes: 1_000 },
        1_100,
        'RESOURCE_EXHAUSTED',
      ],
      ['of 4 MiB and more is refused by default', {}, 4 * 1024 * 1024, 'RESOURCE_EXHAUSTED'],
      [
        'longer than maxSendBytes is not sent',
        { maxSendBytes: 1_000 },
        1_100,
        'RESOURCE_EXHAUSTED',
      ],
    ])('%s', async (_, options, length, status) => {
      const { address } = await serve(options);
      expect((await call(clientOf(address), Unary, [text(length)])).status).toBe(status);
    });
  });

  it('a call beyond maxConcurrentStreams waits until another one has ended', async () => {
    const { address } = await serve({ maxConcurrentStreams: 1 });
    const client = clientOf(address);
    const first = openCall(client, BidiStream!);
    first.stream.write(text(1));
    await new Promise((resolve) => first.stream.once('data', resolve));
    const order: string[] = [];
    const second = call(client, Unary, [text(1)]).then(({ status }) =>
      order.push(`second ${status}`),
    );
    order.push('first');
    first.stream.end();
    await second;
    expect(order).toEqual(['first', 'second OK']);
  });

  it('calls of a connection whose other end has gone silent are cancelled', async () => {
    const { port, outcome } = await serve({ keepAlive: { interval: 30, timeout: 30 } });
    // A cable that is pulled: nothing gets through any more, and nobody is told.
    const pipes: Socket[] = [];
    const cable = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      near.pipe(far).pipe(near);
      pipes.push(near, far);
      for (const end of [near, far]) end.on('error', () => {});
    });
    await new Promise<void>((resolve) => cable.listen(0, '127.0.0.1', resolve));
    const { port: cablePort } = cable.address() as AddressInfo;
    const { stream, answer } = openCall(clientOf(`127.0.0.1:${cablePort}`), Watch!);
    stream.end({});
    await new Promise((resolve) => stream.once('data', resolve));
    for (const end of pipes) end.unpipe().pause();
    expect(await outcome).toMatchObject({ code: Code.CANCELLED, cancelled: true });
    // The server has closed its end as well.
    await Promise.all(pipes.map((end) => once(end.resume().end(), 'close')));
    cable.close();
    expect((await answer).status).toBe('UNAVAILABLE');
  });
});
