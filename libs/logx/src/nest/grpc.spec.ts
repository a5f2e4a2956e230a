import { Code, codeName } from '@apix/contracts';
import { connectGrpc, GrpcModule, GrpcServer } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { ProtoModule } from '@apix/proto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { fileURLToPath } from 'node:url';
import { loggedUntil } from '../request/logged-until.fixture.js';
import {
  CALL,
  type GrpcHosting,
  GrpcRunning,
  HOSTINGS,
  KINDS,
  SERVICE,
} from './grpc-running.fixture.js';
import { LogxModule } from './logx.module.js';
import { ProbeCallsController } from './probe-calls.fixture.js';

const KINDS_FILE = fileURLToPath(new URL('../../../proto/testdata/kinds.binpb', import.meta.url));

/** `@apix/grpc` in an app whose logger leaves calls alone. */
const withoutLog: GrpcHosting = async (controller, logged) => {
  @Module({
    imports: [
      LogxModule.forRoot({ sinks: [logged], grpc: false }),
      ProtoModule.forRoot({ descriptors: KINDS_FILE }),
      HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
      GrpcModule.forRoot({ port: 0, host: '127.0.0.1' }),
    ],
    controllers: [controller],
  })
  class App {}
  const app = await NestFactory.create(App, { logger: false, abortOnError: false });
  connectGrpc(app);
  await app.listen(0, '127.0.0.1');
  return { address: app.get(GrpcServer).address, close: () => app.close() };
};

describe('grpc: false', () => {
  it('leaves calls without event and id', async () => {
    const running = await GrpcRunning.start(withoutLog, ProbeCallsController);
    const { stream, ended } = running.open('Unary');
    stream.resume();
    stream.end({ stringValue: 'hello' });
    const { status, headers } = await ended;
    await running.close();
    expect(status).toBe('OK');
    expect(headers.get('x-request-id')).toEqual([]);
    expect(running.logged.messages).toEqual(['said hello']);
  });
});

describe.each(HOSTINGS)('on %s', (_name, hosting) => {
  let running: GrpcRunning;

  beforeAll(async () => {
    running = await GrpcRunning.start(hosting, ProbeCallsController);
  });
  afterAll(() => running.close());

  describe('the event of a call', () => {
    it.each(KINDS)('of the kind %s tells how it went', async (kind) => {
      const { status, headers, event } = await running.ask(kind);
      expect(status).toBe('OK');
      expect(event).toMatchObject({
        level: 'info',
        message: `gRPC ${SERVICE}${kind} -> OK`,
        Method: SERVICE + kind,
        Code: 'OK',
        method: SERVICE + kind,
        code: 'OK',
        duration_ms: expect.any(Number),
        handler: expect.stringMatching(/^ProbeCallsController/),
        user_agent: expect.stringMatching(/^grpc-node-js/),
        RequestId: headers.get('x-request-id')[0],
      });
    });

    it.each(KINDS)(
      'of the kind %s comes at the end of the call, and has its length',
      async (kind) => {
        running.logged.clear();
        const { stream, ended } = running.open(kind);
        stream.resume();
        stream.write({ stringValue: 'hold' });
        stream.end();
        await loggedUntil(running.logged, 'said {Text}');
        expect(running.logged.withTemplate(CALL).count).toBe(0);
        await ended;
        const event = (await loggedUntil(running.logged, CALL)).only();
        expect(event['duration_ms']).toBeGreaterThan(35);
      },
    );

    it.each<[keyof typeof Code, string]>([
      ['CANCELLED', 'warn'],
      ['UNKNOWN', 'error'],
      ['INVALID_ARGUMENT', 'warn'],
      ['DEADLINE_EXCEEDED', 'error'],
      ['NOT_FOUND', 'warn'],
      ['ALREADY_EXISTS', 'warn'],
      ['PERMISSION_DENIED', 'warn'],
      ['RESOURCE_EXHAUSTED', 'warn'],
      ['FAILED_PRECONDITION', 'warn'],
      ['ABORTED', 'error'],
      ['OUT_OF_RANGE', 'warn'],
      ['UNIMPLEMENTED', 'error'],
      ['INTERNAL', 'error'],
      ['UNAVAILABLE', 'error'],
      ['DATA_LOSS', 'error'],
      ['UNAUTHENTICATED', 'warn'],
    ])('with the code %s has the level %s', async (name, level) => {
      for (const word of ['code', 'rpc']) {
        const { status, event } = await running.ask('Unary', [`${word} ${Code[name]}`]);
        expect(status).toBe(name);
        expect(event).toMatchObject({ level, code: codeName(Code[name]) });
        expect(event).toMatchObject(
          level === 'error' ? { error: 'asked for', stack: expect.any(String) } : {},
        );
        expect('error' in event).toBe(level === 'error');
      }
    });

    it.each(KINDS)('of the kind %s tells a caller that cancels from a deadline', async (kind) => {
      running.logged.clear();
      const cancelled = running.open(kind);
      cancelled.stream.resume().write({ stringValue: 'wait' });
      cancelled.stream.end();
      await loggedUntil(running.logged, 'said {Text}');
      cancelled.stream.cancel();
      expect((await loggedUntil(running.logged, CALL)).only()).toMatchObject({
        level: 'warn',
        code: 'CANCELLED',
      });

      const late = await running.ask(kind, ['wait'], { deadlineMs: 1_000 });
      expect(late.status).toBe('DEADLINE_EXCEEDED');
      expect(late.event).toMatchObject({ level: 'error', code: 'DEADLINE_EXCEEDED' });
      expect(late.event).toMatchObject({ duration_ms: expect.any(Number) });
      expect(running.logged.withTemplate(CALL).count).toBe(1);
    });
  });

  describe('the id of a call', () => {
    it('comes from the caller and goes back to it', async () => {
      const { headers, event } = await running.ask('Unary', ['hello'], {
        metadata: { 'x-request-id': 'abc-1' },
      });
      expect(headers.get('x-request-id')).toEqual(['abc-1']);
      expect(event['RequestId']).toBe('abc-1');
      expect(running.logged.withTemplate('said {Text}').only()['RequestId']).toBe('abc-1');
    });

    it.each([
      ['is too long', 'x'.repeat(129)],
      ['has blanks', 'a b'],
      ['is sent twice', ['a', 'b']],
    ])('that %s is replaced', async (_why, id) => {
      const { headers, event } = await running.ask('Unary', ['hello'], {
        metadata: { 'x-request-id': id },
      });
      const [echoed] = headers.get('x-request-id');
      expect(echoed).toMatch(/^[0-9a-f]{32}$/);
      expect(event['RequestId']).toBe(echoed);
    });

    it('comes with the ids of the trace', async () => {
      const { event } = await running.ask('Unary', ['hello'], {
        metadata: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
      });
      expect(event).toMatchObject({ trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) });
    });
  });
});
