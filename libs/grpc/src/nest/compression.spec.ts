import 'reflect-metadata';
import { startHost } from '@apix/hostx/testing';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Metadata,
  Server,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServerUnaryCall,
} from '@grpc/grpc-js';
import { Controller } from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import { type Observable, concatMap, map, of } from 'rxjs';
import { GrpcTap } from '../../../../tools/testing/grpc-tap.js';
import {
  RawHttp2,
  callHeaders,
  dataFrames,
  grpcMessage,
} from '../../../../tools/testing/raw-http2.js';
import {
  type ClientInit,
  channelOf,
  createClient,
} from '../../../grpc-client/src/client/create-client.js';
import {
  type Kinds,
  Probe,
  type ProbeService,
} from '../../../grpc-client/src/client/probe-service.fixture.js';
import { boundPort } from '../../../grpc-client/src/bound-port.fixture.js';
import { serviceDefinition } from '../descriptor/service-definition.js';
import { GrpcServer } from './grpc-server.js';
import { probeApp, overEachStack } from '../probe.fixture.js';
import type { GrpcModuleOptions } from '../server/grpc-options.js';
import { uncompressed } from '../../../grpc-client/src/compression/uncompressed.js';
import { wasCompressed } from '../compression/was-compressed.js';

const ALGORITHMS = ['gzip', 'deflate'] as const;
const LONG = 'a'.repeat(5_000);
const KIBIBYTES = 'b'.repeat(1_020);

type Answer = Pick<Kinds, 'stringValue'>;

/** Says whether the request was compressed, in front of its text. */
function answerTo(request: Answer): Answer {
  const { stringValue } = request;
  const answer = { stringValue: `${wasCompressed(request)} ${stringValue}` };
  return stringValue.endsWith('as it is') ? uncompressed(answer) : answer;
}

@Controller()
class Echo {
  @GrpcMethod('Probe', 'Unary')
  unary(request: Answer): Answer {
    return answerTo(request);
  }

  @GrpcMethod('Probe', 'ServerStream')
  serverStream({ stringValue }: Answer): Observable<Answer> {
    return of(stringValue, `${stringValue}as it is`, 'short', stringValue).pipe(
      map((text) => answerTo({ stringValue: text })),
    );
  }

  @GrpcStreamMethod('Probe', 'BidiStream')
  bidiStream(requests: Observable<Answer>): Observable<Answer> {
    return requests.pipe(concatMap(async (request) => answerTo(request)));
  }
}

type AnyUnaryCall = ServerUnaryCall<unknown, unknown>;

/** Has a server of grpc-js say what it can read in other words. */
function saying(accepted: string): ServerInterceptor {
  return (_, call) =>
    new ServerInterceptingCall(call, {
      sendMetadata(headers, next) {
        headers.set('grpc-accept-encoding', accepted);
        next(headers);
      },
    });
}

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** A server, and a client of it whose messages are seen on the wire. */
async function connected(
  server: GrpcModuleOptions = {},
  client: Partial<ClientInit<ProbeService>> = {},
) {
  const { app } = await startHost(probeApp([Echo], server), { http: false });
  const { port } = app!.get(GrpcServer);
  const tap = await GrpcTap.open(port);
  const probe = createClient(Probe, { endpoint: `127.0.0.1:${tap.port}`, ...client });
  open.push(
    () => tap.close(),
    () => channelOf(probe).close(),
  );
  /** Which messages were compressed, of each end. */
  const seen = () => {
    const flags = { client: [] as boolean[], server: [] as boolean[] };
    for (const { from, isCompressed } of tap.take()) flags[from].push(isCompressed);
    return flags;
  };
  return { port, probe, tap, seen };
}

async function textsOf(answers: AsyncIterable<Answer>): Promise<string[]> {
  const texts: string[] = [];
  for await (const { stringValue } of answers) texts.push(stringValue);
  return texts;
}

overEachStack(() => {
  describe('without the option, messages', () => {
    it('are compressed in neither direction', async () => {
      const { probe, seen } = await connected();
      expect((await probe.unary({ stringValue: LONG })).stringValue).toBe(`false ${LONG}`);
      expect(seen()).toEqual({ client: [false], server: [false] });
    });
  });

  describe.each(ALGORITHMS)('requests compressed with %s', (compression) => {
    it('are told apart by the handler, and sent as they are where they are short or marked', async () => {
      const { probe, seen } = await connected({}, { compression });
      const requests = [
        { stringValue: LONG },
        { stringValue: 'short' },
        uncompressed({ stringValue: LONG }),
        { stringValue: `${KIBIBYTES}a` },
      ];
      const texts = await textsOf(probe.bidiStream(requests));
      expect(texts.map((text) => text.split(' ')[0])).toEqual(['true', 'false', 'false', 'true']);
      expect(seen().client).toEqual([true, false, false, true]);
    });

    it('are not with the call option compress: false', async () => {
      const { probe, seen } = await connected({}, { compression });
      const request = { stringValue: LONG };
      expect((await probe.unary(request)).stringValue).toMatch(/^true/);
      expect((await probe.unary(request, { compress: false })).stringValue).toMatch(/^false/);
      expect((await probe.unary(uncompressed(request))).stringValue).toMatch(/^false/);
      expect(seen().client).toEqual([true, false, false]);
    });

    it('have minBytes as the length from which they are', async () => {
      const options = { compression: { algorithm: compression, minBytes: 10 } };
      const { probe, seen } = await connected({}, options);
      await probe.unary({ stringValue: '1234567' });
      await probe.unary({ stringValue: '12345678' });
      expect(seen().client).toEqual([false, true]);
    });
  });

  describe('requests to a server that says what it reads', () => {
    it.each([
      ['identity,deflate,gzip', true],
      ['identity, deflate, gzip', true],
      ['identity, deflate', false],
    ])('%s: the second one is compressed: %s', async (accepted, isCompressed) => {
      const server = new Server({ interceptors: [saying(accepted)] });
      const Unary = (call: AnyUnaryCall, respond: (error: null, answer: object) => void): void => {
        call.sendMetadata(new Metadata());
        respond(null, {});
      };
      server.addService(serviceDefinition(Probe), { Unary });
      open.push(() => server.forceShutdown());
      const tap = await GrpcTap.open(await boundPort(server));
      const endpoint = `127.0.0.1:${tap.port}`;
      const client = createClient(Probe, { endpoint, compression: 'gzip' });
      open.push(
        () => tap.close(),
        () => channelOf(client).close(),
      );
      for (let n = 0; n < 2; n += 1) await client.unary({ stringValue: LONG });
      const requests = tap.take().filter(({ from }) => from === 'client');
      expect(requests.map((request) => request.isCompressed)).toEqual([true, isCompressed]);
    });
  });

  describe.each(ALGORITHMS)('answers compressed with %s', (compression) => {
    it('are, but where they are short or marked', async () => {
      const { probe, seen } = await connected({ compression });
      const texts = await textsOf(probe.serverStream({ stringValue: LONG }));
      expect(texts).toEqual([
        `false ${LONG}`,
        `false ${LONG}as it is`,
        'false short',
        `false ${LONG}`,
      ]);
      expect(seen()).toEqual({ client: [false], server: [true, false, false, true] });
    });

    it('of a unary call are, and arrive before its status', async () => {
      const { probe, seen } = await connected({ compression });
      for (const stringValue of [LONG, `${LONG} as it is`, LONG]) {
        expect((await probe.unary({ stringValue })).stringValue).toBe(`false ${stringValue}`);
      }
      expect(seen().server).toEqual([true, false, true]);
    });

    it('are not where that makes them longer', async () => {
      const options = { compression: { algorithm: compression, minBytes: 0 } };
      const { probe, seen } = await connected(options);
      await probe.unary({ stringValue: '' });
      expect(seen().server).toEqual([false]);
    });

    it.each([
      [undefined, null],
      ['identity', null],
      ['br,snappy', null],
      ['identity, deflate,gzip', compression],
    ])('are for a caller who accepts %s: %s', async (accepted, expected) => {
      const { tap } = await connected({ compression });
      const raw = await RawHttp2.open(tap.port);
      const headers = accepted === undefined ? {} : { 'grpc-accept-encoding': accepted };
      // The field string_value, of 2,000 bytes.
      const text = Buffer.concat([Buffer.from([0x72, 0xd0, 0x0f]), Buffer.alloc(2_000, 'a')]);
      await raw.write(
        callHeaders(1, '/apix.testdata.Probe/Unary', headers),
        ...dataFrames(1, grpcMessage(text), { end: true }),
      );
      const outcome = await raw.outcome(1);
      await raw.destroy();
      expect(outcome?.headers.get('grpc-encoding')).toBe(expected ?? 'identity');
      expect(outcome?.headers.get('grpc-status')).toBe('0');
      const answers = tap.take().filter(({ from }) => from === 'server');
      expect(answers.map(({ isCompressed }) => isCompressed)).toEqual([expected !== null]);
    });

    it('beyond maxSendBytes are refused by the length that they have for their reader', async () => {
      const { probe, seen } = await connected({ compression, maxSendBytes: 4_000 });
      await expect(probe.unary({ stringValue: LONG })).rejects.toThrow(/^Sent message larger/);
      expect(seen().server).toEqual([]);
    });
  });

  describe('a message that inflates beyond the limit', () => {
    const limit = 100_000;
    const beyond = 'z'.repeat(10 * limit);

    it.each(ALGORITHMS)('of %s is refused by the server', async (compression) => {
      const { probe, tap } = await connected({ maxReceiveBytes: limit }, { compression });
      await expect(probe.unary({ stringValue: beyond })).rejects.toMatchObject({ code: 8 });
      const [request] = tap.take();
      expect(request!.bytes).toBeLessThan(limit / 10);
      expect((await probe.unary({ stringValue: 'tea' })).stringValue).toBe('false tea');
    });

    it.each(ALGORITHMS)('of %s is refused by the client', async (compression) => {
      const channelOptions = { 'grpc.max_receive_message_length': limit };
      const { probe, tap } = await connected({ compression }, { channelOptions });
      await expect(probe.unary({ stringValue: beyond })).rejects.toMatchObject({ code: 8 });
      const answer = tap.take().find(({ from }) => from === 'server');
      expect(answer!.bytes).toBeLessThan(limit / 10);
      expect((await probe.unary({ stringValue: 'tea' })).stringValue).toBe('false tea');
    });
  });

  describe('a request that is marked as compressed', () => {
    // A Kinds message with the string_value "a".
    const message = Buffer.from([0x72, 0x01, 0x61]);
    it.each([
      ['without grpc-encoding', {}, message, '13'],
      ['with grpc-encoding: identity', { 'grpc-encoding': 'identity' }, message, '13'],
      ['and is empty, without grpc-encoding', {}, Buffer.alloc(0), '13'],
      ['as gzip and is', { 'grpc-encoding': 'gzip' }, gzipSync(message), '0'],
      ['as deflate and is', { 'grpc-encoding': 'deflate' }, deflateSync(message), '0'],
    ])('%s ends as it should', async (_, headers: Record<string, string>, bytes, status) => {
      const { port } = await connected();
      const raw = await RawHttp2.open(port);
      await raw.write(
        callHeaders(1, '/apix.testdata.Probe/Unary', headers),
        ...dataFrames(1, grpcMessage(bytes, { compressed: true }), { end: true }),
      );
      const outcome = await raw.outcome(1);
      await raw.destroy();
      expect(outcome?.headers.get('grpc-status')).toBe(status);
    });
  });

  describe('the option compression', () => {
    it.each([
      ['br', 'compression: must be one of "gzip", "deflate", not "br"'],
      [{ algorithm: 'br' }, 'compression.algorithm: must be one of "gzip", "deflate", not "br"'],
      [7, 'compression: must be "gzip", "deflate" or an object with an algorithm, not 7'],
      [
        { algorithm: 'gzip', minBytes: -1 },
        'compression.minBytes: must be an integer of at least 0, not -1',
      ],
    ])('refuses %j in server and client', async (compression, message) => {
      const wrong = { compression } as never as { compression: 'gzip' };
      await expect(connected(wrong)).rejects.toThrow(message);
      expect(() => createClient(Probe, { endpoint: 'localhost:1', ...wrong })).toThrow(message);
    });
  });
});
