import 'reflect-metadata';
import { CALL_STAGE, type CallOutcome, type CallStage, Code } from '@apix/contracts';
import { startHost } from '@apix/hostx/testing';
import type { Message } from '@bufbuild/protobuf';
import type { GenMessage, GenService } from '@bufbuild/protobuf/codegenv2';
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Module, type Type } from '@nestjs/common';
import { GrpcMethod, GrpcStreamCall, GrpcStreamMethod } from '@nestjs/microservices';
import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { type Observable, concatMap, from, interval, map } from 'rxjs';
import { clientOf, openCall, probe } from '../../../grpc-client/src/client.fixture.js';
import { type Text, probeApp, overEachStack } from '../probe.fixture.js';
import type { GrpcModuleOptions } from '../server/grpc-options.js';
import { GrpcServer } from './grpc-server.js';
import { GrpcService } from './grpc-service.decorator.js';

type TextSchema = GenMessage<Text & Message>;
type Method<Kind> = { methodKind: Kind; input: TextSchema; output: TextSchema };
const Probe = probe.services[0] as GenService<{
  serverStream: Method<'server_streaming'>;
  bidiStream: Method<'bidi_streaming'>;
}>;
const { serverStream, bidiStream } = Probe.method;

const KIB = 1_024;
const MIB = KIB * KIB;
const PAGE = { stringValue: 'k'.repeat(16 * KIB) };
/** Far more than what may wait, of callers that do not read. */
const MANY = 4_000;
/** More than what is held back, of callers that read in the end. */
const SOME = 400;
const LIMITS = { maxUnsentBytes: MIB };

/** What the handler of a test has done. */
let wrote = 0;
let cancelled = 0;
afterEach(() => void (wrote = cancelled = 0));

const page = (): Text => {
  wrote += 1;
  return PAGE;
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

@Controller()
class Observables {
  @GrpcMethod('Probe', 'ServerStream')
  serverStream(): Observable<Text> {
    return interval(0).pipe(concatMap(() => from(Array.from({ length: 10 }, page))));
  }

  @GrpcStreamMethod('Probe', 'BidiStream')
  bidiStream(requests: Observable<Text>): Observable<Text> {
    return requests.pipe(map(page));
  }
}

@Controller()
class Amplifying {
  @GrpcStreamMethod('Probe', 'BidiStream')
  bidiStream(requests: Observable<Text>): Observable<Text> {
    return requests.pipe(concatMap(() => from(Array.from({ length: MANY }, page))));
  }
}

type Stream = ServerDuplexStream<Text, Text>;

@Controller()
class Careless {
  @GrpcStreamCall('Probe', 'BidiStream')
  async bidiStream(call: Stream): Promise<void> {
    call.on('cancelled', () => (cancelled += 1));
    while (!call.cancelled) {
      for (let i = 0; i < 10; i += 1) call.write(page());
      await turn();
    }
  }
}

@Controller()
class Echoing {
  @GrpcStreamCall('Probe', 'BidiStream')
  bidiStream(call: Stream): void {
    call.on('data', () => call.write(page()));
    call.on('end', () => call.end());
  }
}

@Controller()
class Pausing {
  @GrpcStreamCall('Probe', 'BidiStream')
  bidiStream(call: Stream): void {
    call.once('data', () => call.pause());
  }
}

@Controller()
class Draining {
  @GrpcStreamCall('Probe', 'BidiStream')
  async bidiStream(call: Stream): Promise<void> {
    for (let i = 0; i < SOME; i += 1) if (!call.write(page())) await once(call, 'drain');
    call.end();
  }
}

@Controller()
class Piping {
  @GrpcStreamCall('Probe', 'BidiStream')
  bidiStream(call: Stream): void {
    const to: Writable = call;
    Readable.from(Array.from({ length: SOME }, () => 0))
      .map(page)
      .pipe(to);
  }
}

@GrpcService(Probe)
class Generating {
  async *serverStream() {
    for (let i = 0; i < SOME; i += 1) yield page();
  }
}

type Transport = 'network' | 'in-process';

async function serve(controller: Type, transport: Transport, options: GrpcModuleOptions) {
  const ends: CallOutcome[] = [];
  let ended: () => void;
  const over = new Promise<void>((resolve) => (ended = resolve));
  let asked = 0;
  const stage: CallStage = {
    [CALL_STAGE]: true,
    name: 'watch',
    bind: () => ({
      onMessage: () => void (asked += 1),
      onEnd: (_, how) => {
        ends.push(how);
        ended();
      },
    }),
  };
  @Module({
    imports: [probeApp([controller], options)],
    providers: [{ provide: 'stage', useValue: stage }],
  })
  class App {}
  const { app } = await startHost(App, { http: false });
  const server = app!.get(GrpcServer);
  const interceptors = transport === 'network' ? [] : [server.clientInterceptor()];
  const client = clientOf(server.address, undefined, { interceptors });
  return { client, ends, over, asked: () => asked };
}

/** When nothing has changed for a while: whoever is held back stays where it is. */
async function settled(value: () => number): Promise<number> {
  let last = -1;
  let same = 0;
  while (same < 50) {
    await turn();
    same = value() === last ? same + 1 : 0;
    last = value();
    if (same > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return last;
}

overEachStack(() => {
  describe.each(['network', 'in-process'] as const)('over the transport %s', (transport) => {
    it.each([
      ['an Observable that answers one with many', Amplifying, bidiStream],
      ['an Observable that emits by itself', Observables, serverStream],
      ['a handler that writes whatever write() returns', Careless, bidiStream],
    ])(
      '%s ends with RESOURCE_EXHAUSTED when its caller does not read',
      async (_, controller, method) => {
        const { client, ends, over } = await serve(controller, transport, LIMITS);
        const { stream, answer } = openCall(client, method);
        stream.pause();
        stream.write({});
        if (method === serverStream) stream.end();
        await over;
        expect(ends).toMatchObject([
          {
            code: Code.RESOURCE_EXHAUSTED,
            message: `the answers of this call that wait for the caller exceed ${MIB} bytes; read them faster`,
            cancelled: false,
          },
        ]);
        const atEnd = wrote;
        stream.resume();
        const { status: code, messages } = await answer;
        expect(code).toBe('RESOURCE_EXHAUSTED');
        // What waited was dropped, and nobody produces any more.
        expect(messages.length).toBeLessThan(64);
        expect(wrote - atEnd).toBeLessThanOrEqual(controller === Amplifying ? MANY : 10);
      },
    );

    it('a careless handler is told that its call is over', async () => {
      const { client, over } = await serve(Careless, transport, LIMITS);
      const { stream } = openCall(client, bidiStream);
      stream.pause();
      await over;
      await turn();
      expect(cancelled).toBe(1);
      stream.cancel();
    });

    it.each([
      ['an Observable', Observables],
      ['a handler that writes in its data listener', Echoing],
    ])(
      '%s gets no further requests while answers wait, and all of them in the end',
      async (_, controller) => {
        const { client, ends, asked } = await serve(controller, transport, LIMITS);
        const { stream, answer } = openCall(client, bidiStream);
        stream.pause();
        for (let i = 0; i < SOME; i += 1) stream.write({});
        stream.end();
        expect(await settled(asked)).toBeLessThan(100);
        expect(ends).toEqual([]);
        stream.resume();
        const { status: code, messages } = await answer;
        expect([code, messages.length]).toEqual(['OK', SOME]);
      },
    );

    it('a handler that pauses has one request read ahead', async () => {
      const { client, asked } = await serve(Pausing, transport, LIMITS);
      const { stream } = openCall(client, bidiStream);
      for (let i = 0; i < 100; i += 1) stream.write({});
      expect(await settled(asked)).toBe(2);
      stream.cancel();
    });

    it.each([
      ['a handler that waits for drain', Draining, bidiStream],
      ['a stream that is piped to its call', Piping, bidiStream],
      ['an async generator', Generating, serverStream],
    ])('%s goes at the pace of its caller', async (_, controller, method) => {
      const { client, ends } = await serve(controller, transport, LIMITS);
      const { stream, answer } = openCall(client, method);
      stream.pause();
      stream.end({});
      expect(await settled(() => wrote)).toBeLessThan(100);
      expect(ends).toEqual([]);
      stream.resume();
      const { status: code, messages } = await answer;
      expect([code, messages.length]).toEqual(['OK', SOME]);
    });
  });

  describe('all calls of a server together', () => {
    it('keep within maxUnsentBytesTotal, and the one with most waiting is ended', async () => {
      const { client, ends, over } = await serve(Careless, 'network', {
        maxUnsentBytes: 8 * MIB,
        maxUnsentBytesTotal: 12 * MIB,
      });
      const calls = [1, 2, 3].map(() => openCall(client, bidiStream));
      for (const { stream } of calls) stream.pause();
      await over;
      expect(ends[0]).toMatchObject({
        code: status.RESOURCE_EXHAUSTED,
        message: `the answers of all calls that wait for the caller exceed ${12 * MIB} bytes; read them faster`,
      });
      for (const { stream } of calls) stream.cancel();
    });
  });
});
