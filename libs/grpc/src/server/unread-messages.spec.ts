import 'reflect-metadata';
import { CALL_STAGE, type CallOutcome, type CallStage, Code } from '@apix/contracts';
import { startHost } from '@apix/hostx/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod, GrpcStreamCall, GrpcStreamMethod } from '@nestjs/microservices';
import { setTimeout as sleep } from 'node:timers/promises';
import { of } from 'rxjs';
import {
  RawHttp2,
  callHeaders,
  dataFrames,
  grpcMessage,
} from '../../../../tools/testing/raw-http2.js';
import { until } from '../../../../tools/testing/until.js';
import { call, clientOf, probe } from '../../../grpc-client/src/client.fixture.js';
import { GrpcServer } from '../nest/grpc-server.js';
import { type Text, probeApp, overEachStack } from '../probe.fixture.js';

const [Unary] = probe.services[0]!.methods;
const KIB = 1_024;
const MIB = KIB * KIB;
const WINDOW_SIZE = 4;
const ENHANCE_YOUR_CALM = 11;
const LIMIT = 4 * MIB;
const EMPTY = grpcMessage(Buffer.alloc(0));

let answer: Text = { stringValue: '' };
let cancelled = 0;
afterEach(() => {
  cancelled = 0;
  jest.restoreAllMocks();
});

@Controller()
class Answering {
  @GrpcMethod('Probe', 'Unary')
  unary(): Text {
    return answer;
  }

  @GrpcMethod('Probe', 'ServerStream')
  serverStream(): unknown {
    return of(answer);
  }

  @GrpcStreamMethod('Probe', 'ClientStream')
  clientStream(): Text {
    return answer;
  }

  @GrpcStreamCall('Probe', 'BidiStream')
  bidiStream(stream: { write(message: Text): void; once(name: string, run: () => void): void }) {
    stream.once('cancelled', () => (cancelled += 1));
    stream.write(answer);
  }
}

async function serve() {
  const ended: string[] = [];
  const stage: CallStage = {
    [CALL_STAGE]: true,
    name: 'watch',
    bind: () => ({ onEnd: (_, { code }: CallOutcome) => void ended.push(Code[code]) }),
  };
  @Module({
    imports: [probeApp([Answering], { maxUnsentBytesTotal: LIMIT })],
    providers: [{ provide: 'stage', useValue: stage }],
  })
  class App {}
  const { app } = await startHost(App, { http: false });
  const server = app!.get(GrpcServer);
  const active = (): unknown => [...server.metrics()][0]!.value;
  return { server, ended, active };
}

/** Makes calls and leaves their answers no window. */
async function unread(port: number, method: string, calls: number): Promise<RawHttp2> {
  const raw = await RawHttp2.open(port, { reads: false, settings: { [WINDOW_SIZE]: 0 } });
  for (let stream = 1; stream < 2 * calls; stream += 2) {
    await raw.write(callHeaders(stream, `/apix.testdata.Probe/${method}`));
    await raw.write(...dataFrames(stream, EMPTY, { end: true }));
  }
  return raw;
}

function fiveSecondsLater(): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
}

overEachStack(() => {
  describe('answers that were written and are not taken', () => {
    it.each(['Unary', 'ServerStream', 'ClientStream', 'BidiStream'])(
      'of %s are ended beyond the limit of all calls when they have waited for 5 s',
      async (method) => {
        answer = { stringValue: 'x'.repeat(512 * KIB) };
        const { server, ended, active } = await serve();
        const raw = await unread(server.port, method, 12);
        await until(() => active() === 12);
        fiveSecondsLater();
        await until(() => ended.length > 0);
        // 7 of them are 3.5 MiB, and each is a little more than half a MiB.
        await until(() => active() === 7);
        expect(ended).toEqual(Array.from({ length: 5 }, () => 'RESOURCE_EXHAUSTED'));
        const outcomes = await Promise.race([raw.outcome(1), raw.outcome(23)]);
        expect(outcomes?.reset).toBe(ENHANCE_YOUR_CALM);
        // Handlers of streams hear of it, a turn or two after the call is off the books.
        const heard = method === 'BidiStream' ? 5 : 0;
        await until(() => cancelled >= heard);
        expect(cancelled).toBe(heard);
        await raw.destroy();
        await until(() => active() === 0);
      },
      20_000,
    );

    it('below the limit wait for their callers', async () => {
      answer = { stringValue: 'x'.repeat(512 * KIB) };
      const { server, ended, active } = await serve();
      const raw = await unread(server.port, 'Unary', 7);
      await until(() => active() === 7);
      fiveSecondsLater();
      await sleep(700);
      expect(ended).toEqual([]);
      await raw.destroy();
    });

    it('beyond the limit are sent to callers who read', async () => {
      answer = { stringValue: 'x'.repeat(MIB) };
      const { server } = await serve();
      const client = clientOf(server.address);
      const options = { 'grpc.max_receive_message_length': -1 };
      const answers = await Promise.all(
        Array.from({ length: 40 }, () =>
          call(clientOf(server.address, undefined, options), Unary, [{}]),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['OK']));
      answer = { stringValue: 'x'.repeat(3 * MIB) };
      expect((await call(client, Unary, [{}])).status).toBe('OK');
    });
  });
});
