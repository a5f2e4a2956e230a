import 'reflect-metadata';
import { startHost } from '@apix/hostx/testing';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { GrpcMethod, GrpcStreamCall } from '@nestjs/microservices';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import {
  END_HEADERS,
  FRAME,
  frame,
  numberFrame,
  settingsFrame,
} from '../../../../tools/testing/http2-frames.js';
import {
  RawHttp2,
  callHeaders,
  dataFrames,
  grpcMessage,
} from '../../../../tools/testing/raw-http2.js';
import { call, clientOf, probe } from '../../../grpc-client/src/client.fixture.js';
import { GrpcServer } from '../nest/grpc-server.js';
import { type Text, probeApp, overEachStack } from '../probe.fixture.js';

const [Unary] = probe.services[0]!.methods;
const UNARY = '/apix.testdata.Probe/Unary';
const BIDI = '/apix.testdata.Probe/BidiStream';
const MIB = 1_024 * 1_024;
const EMPTY = grpcMessage(Buffer.alloc(0));

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Buffers are given back some turns after their objects are found to be unused. */
async function collect(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

let handled: string[] = [];

@Controller()
class Counting {
  @GrpcMethod('Probe', 'Unary')
  unary(request: Text): Text {
    handled.push('Unary');
    return request;
  }

  /** Takes one request and no other. */
  @GrpcStreamCall('Probe', 'BidiStream')
  bidiStream(stream: ServerDuplexStream<Text, Text>): void {
    stream.once('data', () => {
      handled.push('BidiStream');
      stream.pause();
    });
  }
}

const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);
beforeAll(() => void process.on('uncaughtException', note).on('unhandledRejection', note));
afterAll(() => void process.off('uncaughtException', note).off('unhandledRejection', note));
afterEach(() => expect(uncaught.splice(0)).toEqual([]));

async function serve() {
  const { app } = await startHost(probeApp([Counting]), { http: false });
  const server = app!.get(GrpcServer);
  const other = clientOf(server.address);
  const othersAreServed = async (): Promise<void> => {
    expect((await call(other, Unary, [{ stringValue: 'b' }])).status).toBe('OK');
  };
  await othersAreServed();
  handled = [];
  /** When no call is under way any more. */
  const idle = async (): Promise<void> => {
    while ([...server.metrics()][0]!.value > 0) await new Promise((go) => setTimeout(go, 5));
  };
  return { port: server.port, othersAreServed, idle };
}

overEachStack(() => {
  describe('a path that is not quite that of a method', () => {
    const service = 'apix.testdata.Probe';
    it.each([
      ['without its slash', `${service}/Unary`],
      ['with two slashes', `//${service}/Unary`],
      ['with two slashes inside', `/${service}//Unary`],
      ['with a slash at its end', `/${service}/Unary/`],
      ['with an encoded slash', `/${service}%2FUnary`],
      ['with an encoded letter', `/${service}/%55nary`],
      ['in lower case', `/${service}/unary`],
      ['in upper case', `/${service.toUpperCase()}/UNARY`],
      ['with a query', `/${service}/Unary?a`],
      ['with a dot segment', `/x/../${service}/Unary`],
      ['with NUL', `/${service}/Unary\0`],
      ['with a control character', `/${service}/\u0001Unary`],
      ['with a line break', `/${service}/Unary\r\nx: y`],
      ['with bytes that are not ASCII', `/${service}/\u00e9\u0080\u00ff`],
      ['of nothing', ''],
      ['of a prototype', '/__proto__/constructor'],
      ['of 15,000 characters', `/${'a'.repeat(15_000)}`],
    ])('%s reaches no handler and is UNIMPLEMENTED or no request at all', async (_, path) => {
      const { port, othersAreServed } = await serve();
      const raw = await RawHttp2.open(port);
      await raw.write(callHeaders(1, path), ...dataFrames(1, EMPTY, { end: true }));
      const outcome = await raw.outcome(1);
      await raw.destroy();
      expect(handled).toEqual([]);
      const isRefused = outcome === undefined || outcome.reset !== undefined;
      expect(isRefused || outcome.headers.get('grpc-status') === '12').toBe(true);
      await othersAreServed();
    });
  });

  describe('a request whose header gRPC repeats in its answer', () => {
    it.each(['grpc-encoding', 'grpc-timeout'])(
      'gets an answer however long %s is',
      async (name) => {
        const { port, othersAreServed } = await serve();
        const raw = await RawHttp2.open(port);
        const message = grpcMessage(Buffer.from('a'), { compressed: true });
        // Each of these takes up three characters in an answer.
        const headers = { [name]: '%"'.repeat(6_000) };
        await raw.write(callHeaders(1, UNARY, headers), ...dataFrames(1, message, { end: true }));
        const outcome = await raw.outcome(1);
        await raw.destroy();
        expect(outcome?.headers.get('grpc-status')).toMatch(/^1[23]$/);
        expect(outcome?.headers.get('grpc-message')!.length).toBeLessThan(5_000);
        await othersAreServed();
      },
    );
  });

  describe('memory', () => {
    /** What is in use beyond what was before; waits until it is back to within a tenth. */
    async function measured(run: () => Promise<void>, after: () => Promise<void>) {
      await collect();
      const before = memory();
      await run();
      await collect();
      const held = memory() - before;
      await after();
      // A leak lets the test's time pass: what is given back, is so within a few turns of I/O.
      for (await collect(); memory() > 1.1 * before; await collect()) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return held;
    }

    it('of a message in frames of one byte is at most four times what has come', async () => {
      const { port, othersAreServed, idle } = await serve();
      const raw = await RawHttp2.open(port);
      const streams = Array.from({ length: 20 }, (_, n) => 2 * n + 1);
      const part = grpcMessage(Buffer.alloc(20_000), { length: 4 * MIB });
      const held = await measured(
        async () => {
          for (const stream of streams) await raw.write(callHeaders(stream, UNARY));
          for (const stream of streams) await raw.write(...dataFrames(stream, part, { each: 1 }));
          await raw.allRead();
          await othersAreServed();
          await othersAreServed();
        },
        async () => {
          await raw.destroy();
          await idle();
        },
      );
      expect(held).toBeLessThan(4 * streams.length * part.length + 6 * MIB);
    });

    it('of small messages that become large is that of the one that is read', async () => {
      const { port, othersAreServed, idle } = await serve();
      const raw = await RawHttp2.open(port);
      // The field bytes_value, of 4,000,000 bytes.
      const message = Buffer.alloc(4_000_005);
      message.set([0x7a, 0x80, 0x92, 0xf4, 0x01]);
      const bomb = grpcMessage(gzipSync(message), { compressed: true });
      const bytes = Buffer.concat([bomb, bomb, bomb]);
      // All of it is in one frame, and all frames are in the window of the connection.
      expect(bytes.length).toBeLessThan(13_000);
      const held = await measured(
        async () => {
          for (const stream of [1, 3, 5, 7, 9]) {
            const headers = callHeaders(stream, BIDI, { 'grpc-encoding': 'gzip' });
            await raw.write(headers, ...dataFrames(stream, bytes));
          }
          const reading = (): number => handled.filter((name) => name === 'BidiStream').length;
          while (reading() < 5) await othersAreServed();
          // Whatever was still being decompressed is done by now.
          for (let n = 0; n < 50; n += 1) await othersAreServed();
        },
        async () => {
          await raw.destroy();
          await idle();
        },
      );
      expect(held).toBeLessThan(5 * message.length + 24 * MIB);
    });
  });

  describe('a flood of frames', () => {
    const MANY = 20_000;
    const many = (each: (n: number) => Buffer): Buffer[] =>
      Array.from({ length: MANY }, (_, n) => each(n));

    it.each<[string, () => Buffer[]]>([
      [
        'streams that are reset at once',
        () =>
          many((n) =>
            Buffer.concat([
              callHeaders(2 * n + 1, UNARY),
              numberFrame(FRAME.rstStream, 2 * n + 1, 8),
            ]),
          ),
      ],
      ['settings', () => many(() => settingsFrame({ 3: 100 }))],
      ['pings', () => many(() => frame(FRAME.ping, 0, 0, Buffer.alloc(8)))],
      ['window updates', () => many(() => numberFrame(FRAME.windowUpdate, 0, 1))],
      [
        'continuations without an end',
        () => [
          frame(FRAME.headers, 0, 1, Buffer.from([0x82])),
          ...many(() => frame(FRAME.continuation, 0, 1, Buffer.alloc(1_000, 0x82))),
        ],
      ],
      [
        'empty continuations',
        () => [
          frame(FRAME.headers, 0, 1, Buffer.from([0x82])),
          ...many(() => frame(FRAME.continuation, 0, 1)),
        ],
      ],
      ['empty DATA frames', () => [callHeaders(1, UNARY), ...many(() => frame(FRAME.data, 0, 1))]],
      [
        'DATA after GOAWAY',
        () => [
          callHeaders(1, UNARY),
          frame(FRAME.goaway, 0, 0, Buffer.alloc(8)),
          ...many(() => frame(FRAME.data, 0, 1, Buffer.from([0]))),
        ],
      ],
      [
        'DATA of streams that never were',
        () => many((n) => frame(FRAME.data, 0, 2 * n + 1, EMPTY)),
      ],
      [
        'headers that cannot be read',
        () => [frame(FRAME.headers, END_HEADERS, 1, Buffer.from([0xff]))],
      ],
    ])(
      'of %s leaves the process and the others as they were',
      async (_, frames) => {
        const { port, othersAreServed, idle } = await serve();
        const raw = await RawHttp2.open(port, { reads: false });
        const written = raw.write(...frames());
        for (let n = 0; n < 5; n += 1) await othersAreServed();
        await written;
        await othersAreServed();
        await raw.destroy();
        await idle();
        await othersAreServed();
      },
      60_000,
    );
  });
});
