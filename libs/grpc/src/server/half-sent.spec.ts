import 'reflect-metadata';
import { CALL_STAGE, type CallOutcome, type CallStage, Code } from '@apix/contracts';
import { startHost } from '@apix/hostx/testing';
import type { ServerReadableStream } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { Controller, Module, type Type } from '@nestjs/common';
import { GrpcMethod, GrpcStreamCall, GrpcStreamMethod } from '@nestjs/microservices';
import { type Observable, count, map, tap } from 'rxjs';
import { FRAME, frame, numberFrame } from '../../../../tools/testing/http2-frames.js';
import {
  RawHttp2,
  callHeaders,
  dataFrames,
  grpcMessage,
} from '../../../../tools/testing/raw-http2.js';
import { until } from '../../../../tools/testing/until.js';
import { GrpcServer } from '../nest/grpc-server.js';
import { type Text, probeApp, overEachStack } from '../probe.fixture.js';

const EMPTY = grpcMessage(Buffer.alloc(0));
const HALF = grpcMessage(Buffer.from([0x72, 1]), { length: 3 });

/** How the requests of a call ended for its handler. */
let ends: string[] = [];
/** How many requests handlers have read. */
let read = 0;

@Controller()
class Observing {
  @GrpcStreamMethod('Probe', 'ClientStream')
  clientStream(requests: Observable<Text>, _: unknown, call: { cancelled: boolean }): unknown {
    return requests.pipe(
      tap({
        next: () => (read += 1),
        complete: () => ends.push(call.cancelled ? 'cancelled' : 'whole'),
      }),
      count(),
      map(() => ({})),
    );
  }

  @GrpcMethod('Probe', 'Unary')
  unary(request: Text): Text {
    ends.push('whole');
    return request;
  }
}

@Controller()
class Calling {
  @GrpcStreamCall('Probe', 'ClientStream')
  clientStream(call: ServerReadableStream<Text, Text>, answer: (e: null, t: object) => void): void {
    call.on('data', () => (read += 1));
    call.once('cancelled', () => ends.push('cancelled'));
    call.once('end', () => {
      ends.push('whole');
      answer(null, {});
    });
  }

  @GrpcMethod('Probe', 'Unary')
  unary(request: Text): Text {
    ends.push('whole');
    return request;
  }
}

/** A raw connection to an app with this controller, and the next outcome of a call. */
async function serve(controller: Type) {
  ends = [];
  read = 0;
  let tell: (outcome: string) => void;
  const outcome = new Promise<string>((resolve) => (tell = resolve));
  const stage: CallStage = {
    [CALL_STAGE]: true,
    name: 'watch',
    bind: () => ({ onEnd: (_, { code }: CallOutcome) => tell(Code[code]) }),
  };
  @Module({
    imports: [probeApp([controller])],
    providers: [{ provide: 'stage', useValue: stage }],
  })
  class App {}
  const { app } = await startHost(App, { http: false });
  return { raw: await RawHttp2.open(app!.get(GrpcServer).port), outcome };
}

overEachStack(() => {
  describe.each<[string, Type]>([
    ['an Observable', Observing],
    ['a call', Calling],
  ])('a handler that reads its requests from %s', (_, controller) => {
    it.each<[string, Buffer]>([
      ['in a message', HALF],
      ['in the head of a message', HALF.subarray(0, 3)],
    ])(
      'takes requests that end %s for cancelled, and the caller gets INTERNAL',
      async (_, half) => {
        const { raw, outcome } = await serve(controller);
        await raw.write(callHeaders(1, '/apix.testdata.Probe/ClientStream'));
        await raw.write(...dataFrames(1, Buffer.concat([EMPTY, half]), { end: true }));
        const ended = await raw.outcome(1);
        expect(await outcome).toBe('INTERNAL');
        expect(ended?.headers.get('grpc-status')).toBe(String(Code.INTERNAL));
        expect(ended?.headers.get('grpc-message')).toMatch(/in%20the%20middle%20of%20a%20message/);
        await until(() => ends.length > 0);
        expect(ends).toEqual(['cancelled']);
        await raw.destroy();
      },
    );

    it.each<[string, Buffer, (raw: RawHttp2) => unknown]>([
      ...[0, 1, 5, 8].map((code): [string, Buffer, (raw: RawHttp2) => unknown] => [
        `is reset with code ${code}`,
        EMPTY,
        (raw) => raw.write(numberFrame(FRAME.rstStream, 1, code)),
      ]),
      ['loses its connection', EMPTY, (raw) => raw.socket.end()],
      [
        'loses its connection in a message',
        Buffer.concat([EMPTY, HALF]),
        (raw) => raw.socket.end(),
      ],
      ['has its connection reset', EMPTY, (raw) => raw.socket.resetAndDestroy()],
      [
        'is left with a GOAWAY',
        EMPTY,
        (raw) => raw.socket.end(frame(FRAME.goaway, 0, 0, Buffer.alloc(8))),
      ],
    ])('takes the requests of a call that %s for cancelled', async (_, sent, leave) => {
      const { raw, outcome } = await serve(controller);
      await raw.write(callHeaders(1, '/apix.testdata.Probe/ClientStream'), ...dataFrames(1, sent));
      await until(() => read > 0);
      leave(raw);
      expect(await outcome).toBe('CANCELLED');
      await until(() => ends.length > 0);
      expect(ends).toEqual(['cancelled']);
      await raw.destroy();
    });

    it('is not called for a unary request that is not whole', async () => {
      const { raw, outcome } = await serve(controller);
      await raw.write(callHeaders(1, '/apix.testdata.Probe/Unary'));
      await raw.write(...dataFrames(1, Buffer.concat([EMPTY, HALF]), { end: true }));
      await raw.outcome(1);
      expect(await outcome).toBe('INTERNAL');
      expect(ends).toEqual([]);
      await raw.destroy();
    });
  });
});
