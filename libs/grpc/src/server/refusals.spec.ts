import 'reflect-metadata';
import { CALL_STAGE, type CallOutcome, type CallStage, codeName } from '@apix/contracts';
import { startHost } from '@apix/hostx/testing';
import { status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import { gzipSync } from 'node:zlib';
import { type Observable, map } from 'rxjs';
import {
  RawHttp2,
  callHeaders,
  dataFrames,
  grpcMessage,
} from '../../../../tools/testing/raw-http2.js';
import { clientOf } from '../../../grpc-client/src/client.fixture.js';
import { GrpcServer } from '../nest/grpc-server.js';
import { type Text, probeApp, overEachStack } from '../probe.fixture.js';
import type { GrpcModuleOptions } from './grpc-options.js';

const LIMIT = 1_000;

/** Answers with a number that the field cannot hold, or with a text as long as asked for. */
function answerTo({ stringValue }: Text): object {
  return stringValue === 'wrong' ? { int32Value: 2 ** 40 } : { stringValue: 'a'.repeat(2 * LIMIT) };
}

@Controller()
class Answering {
  @GrpcMethod('Probe', 'Unary')
  unary(request: Text): object {
    return answerTo(request);
  }

  @GrpcStreamMethod('Probe', 'BidiStream')
  bidiStream(requests: Observable<Text>): Observable<object> {
    return requests.pipe(map(answerTo));
  }
}

/** Everything that the stages were told, and the counters of the server once all is over. */
async function serve(options: GrpcModuleOptions) {
  const outcomes: CallOutcome[] = [];
  const stage: CallStage = {
    [CALL_STAGE]: true,
    name: 'log',
    bind: () => ({ onEnd: (_, how) => void outcomes.push(how) }),
  };
  @Module({
    imports: [probeApp([Answering], options)],
    providers: [{ provide: 'stage', useValue: stage }],
  })
  class App {}
  const { app } = await startHost(App, { http: false });
  const server = app!.get(GrpcServer);
  const counted = (): unknown[] =>
    [...server.metrics()]
      .filter(({ name }) => name.startsWith('apix.grpc.calls'))
      .map(({ name, value, attributes }) => [name, value, attributes?.['code']]);
  return { server, outcomes, counted };
}

/** A Kinds message with a string_value; its field has the number 14. */
const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x72, value.length]), Buffer.from(value)]);
const UNREADABLE = Buffer.from([0xff, 0xff, 0xff]);
const gzip = { 'grpc-encoding': 'gzip' };

const REFUSALS: readonly (readonly [
  what: string,
  message: Buffer,
  headers: Readonly<Record<string, string>>,
  code: keyof typeof status,
])[] = [
  [
    'a message beyond maxReceiveBytes',
    grpcMessage(Buffer.alloc(2 * LIMIT)),
    {},
    'RESOURCE_EXHAUSTED',
  ],
  [
    'a length beyond maxReceiveBytes',
    grpcMessage(Buffer.alloc(1), { length: 2 ** 32 - 1 }),
    {},
    'RESOURCE_EXHAUSTED',
  ],
  [
    'a message that decompresses to more than maxReceiveBytes',
    grpcMessage(gzipSync(Buffer.alloc(1_000 * LIMIT)).subarray(0, LIMIT), { compressed: true }),
    gzip,
    'RESOURCE_EXHAUSTED',
  ],
  [
    'a message that cannot be decompressed',
    grpcMessage(Buffer.from('no gzip'), { compressed: true }),
    gzip,
    'INTERNAL',
  ],
  [
    'a compressed message without an encoding',
    grpcMessage(gzipSync(text('a')), { compressed: true }),
    {},
    'INTERNAL',
  ],
  [
    'a message of an unknown encoding',
    grpcMessage(Buffer.from('a'), { compressed: true }),
    { 'grpc-encoding': 'br' },
    'UNIMPLEMENTED',
  ],
  ['a message that cannot be decoded', grpcMessage(UNREADABLE), {}, 'INTERNAL'],
  [
    'a deadline that cannot be read',
    grpcMessage(text('a')),
    { 'grpc-timeout': 'soon' },
    'INTERNAL',
  ],
  ['an answer beyond maxSendBytes', grpcMessage(text('long')), {}, 'RESOURCE_EXHAUSTED'],
  ['an answer that cannot be encoded', grpcMessage(text('wrong')), {}, 'INTERNAL'],
];

/** What the caller is not told: which member of an answer cannot be written. */
function causeOf(message: string): object {
  if (message !== 'Error serializing response') return {};
  const cause = 'int32Value: expected an integer (int32), got 1099511627776';
  return { error: expect.objectContaining({ message: expect.stringContaining(cause) }) };
}

overEachStack(() => {
  describe.each(['Unary', 'BidiStream'])(
    'a call of %s that the transport itself refuses',
    (method) => {
      it.each(REFUSALS)(
        'for %s is reported once, with the status that its caller got',
        async (_, message, headers, code) => {
          const { server, outcomes, counted } = await serve({
            maxReceiveBytes: LIMIT,
            maxSendBytes: LIMIT,
          });
          const raw = await RawHttp2.open(server.port);
          const path = `/apix.testdata.Probe/${method}`;
          await raw.write(callHeaders(1, path, headers), ...dataFrames(1, message, { end: true }));
          const outcome = await raw.outcome(1);
          await raw.destroy();
          expect(outcome?.headers.get('grpc-status')).toBe(String(status[code]));
          const details = decodeURI(outcome!.headers.get('grpc-message')!);
          expect(outcomes).toEqual([
            { code: status[code], message: details, cancelled: false, ...causeOf(details) },
          ]);
          expect(counted()).toEqual([
            ['apix.grpc.calls.active', 0, undefined],
            ['apix.grpc.calls', 1, codeName(status[code])],
          ]);
        },
      );
    },
  );

  describe('a call in-process', () => {
    it.each([
      ['a request that cannot be decoded', UNREADABLE],
      ['an answer that cannot be encoded', text('wrong')],
    ])('with %s is reported once, as INTERNAL', async (_, bytes) => {
      const { server, outcomes, counted } = await serve({});
      const client = clientOf('in-process.invalid:1', undefined, {
        interceptors: [server.clientInterceptor()],
      });
      const same = (it: Buffer): Buffer => it;
      const error = await new Promise((resolve) => {
        client.makeUnaryRequest('/apix.testdata.Probe/Unary', same, same, bytes, resolve);
      });
      expect(error).toMatchObject({ code: status.INTERNAL });
      const { details: message } = error as { readonly details: string };
      expect(outcomes).toEqual([
        { code: status.INTERNAL, message, cancelled: false, ...causeOf(message) },
      ]);
      expect(counted()).toEqual([
        ['apix.grpc.calls.active', 0, undefined],
        ['apix.grpc.calls', 1, 'INTERNAL'],
      ]);
    });
  });
});
