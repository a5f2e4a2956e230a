import { Code } from '@apix/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Catch, type ExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { GrpcRunning, HOSTINGS, KINDS } from './grpc-running.fixture.js';
import {
  FailingCallsController,
  ProbeCallsController,
  RawCallsController,
} from './probe-calls.fixture.js';
import { PANIC } from './running.fixture.js';

/** Expects one panic and no other event that has the failure. */
function expectPanic({ logged }: GrpcRunning, said: string): void {
  const panic = logged.withTemplate(PANIC).only();
  expect(panic).toMatchObject({
    level: 'error',
    Panic: said,
    error: `${said}: disk full`,
    stack: expect.stringMatching(/shop\.fixture.*\n(?:.*\n)*Caused by: Error: disk full\n/),
  });
  expect([...logged].filter((event) => 'stack' in event || 'error' in event)).toEqual([panic]);
}

describe.each(HOSTINGS)('on %s', (_name, hosting) => {
  describe('events below the level', () => {
    let running: GrpcRunning;

    beforeAll(async () => {
      const options = { level: 'warning', bufferOnFailure: true } as const;
      running = await GrpcRunning.start(hosting, ProbeCallsController, options);
    });
    afterAll(() => running.close());

    it.each(KINDS)('of a call of the kind %s are written if it fails, and marked', async (kind) => {
      const refused = `code ${Code.NOT_FOUND}`;
      expect((await running.ask(kind, [refused])).event).toMatchObject({ level: 'warn' });
      const failing = `code ${Code.UNAVAILABLE}`;
      const { event } = await running.ask(kind, [failing]);
      expect(running.logged.withTemplate('said {Text}').only()).toMatchObject({
        level: 'info',
        Text: failing,
        buffered: true,
        RequestId: event['RequestId'],
      });
    });
  });

  describe('a failure', () => {
    let running: GrpcRunning;

    beforeAll(async () => {
      running = await GrpcRunning.start(hosting, ProbeCallsController);
    });
    afterAll(() => running.close());

    it.each(KINDS)('of a handler of the kind %s is one panic', async (kind) => {
      const { status, details, event } = await running.ask(kind, ['crash']);
      expect([status, details]).toEqual(['INTERNAL', 'internal error']);
      expect(event).toMatchObject({ level: 'error', code: 'INTERNAL' });
      expectPanic(running, 'handler broke');
      expect(running.logged.withTemplate(PANIC).only()['RequestId']).toBe(event['RequestId']);
    });

    it.each(KINDS)('of an HTTP client in a handler of the kind %s is one panic', async (kind) => {
      const { status, details } = await running.ask(kind, ['client']);
      expect([status, details]).toEqual(['INTERNAL', 'internal error']);
      expectPanic(running, 'client broke');
    });

    it.each(KINDS)('that was thrown on purpose by the kind %s is no panic', async (kind) => {
      const { status, event } = await running.ask(kind, [`code ${Code.UNAVAILABLE}`]);
      expect(status).toBe('UNAVAILABLE');
      expect(event).toMatchObject({
        level: 'error',
        error: 'asked for',
        stack: expect.stringContaining('probe-calls.fixture'),
      });
      expect(running.logged.withTemplate(PANIC).count).toBe(0);
    });
  });

  describe('a failure before the handler', () => {
    let running: GrpcRunning;

    beforeAll(async () => {
      running = await GrpcRunning.start(hosting, FailingCallsController);
    });
    afterAll(() => running.close());

    it.each(['guard', 'interceptor', 'pipe', 'handler'])('of a %s is one panic', async (where) => {
      const { status, event } = await running.ask('Unary', [where]);
      expect(status).toBe('INTERNAL');
      expect(event).toMatchObject({ level: 'error', handler: 'FailingCallsController.unary' });
      expectPanic(running, `${where} broke`);
    });

    it.each(['ServerStream', 'ClientStream', 'BidiStream'])(
      'is not needed for the event of %s, which has no handler',
      async (kind) => {
        const { status, event } = await running.ask(kind);
        expect(status).toBe('UNIMPLEMENTED');
        expect(event).toMatchObject({ level: 'error', code: 'UNIMPLEMENTED' });
        expect(event).not.toHaveProperty('handler');
      },
    );
  });

  describe('a call that reads its stream itself, or is denied,', () => {
    let running: GrpcRunning;

    beforeAll(async () => {
      running = await GrpcRunning.start(hosting, RawCallsController);
    });
    afterAll(() => running.close());

    it.each(['Unary', 'ServerStream'])('has its event when a guard denies %s', async (kind) => {
      const { status, event } = await running.ask(kind);
      expect(status).toBe('PERMISSION_DENIED');
      expect(event).toMatchObject({
        level: 'warn',
        code: 'PERMISSION_DENIED',
        handler: expect.stringMatching(/^RawCallsController/),
      });
      expect(running.logged.count).toBe(1);
    });

    it.each(['ClientStream', 'BidiStream'])('has its context in the stream of %s', async (kind) => {
      const { status, event } = await running.ask(kind, ['one', 'two']);
      expect(status).toBe('OK');
      const said = [...running.logged].filter((other) => other !== event);
      // grpc-js calls a call cancelled at its end, however it ended.
      const messages = said.map(({ message }) => message).filter((text) => text !== 'cancelled');
      expect(messages).toEqual(['said one', 'said two', 'ended']);
      for (const { RequestId } of said) expect(RequestId).toBe(event['RequestId']);
    });

    it.each(['ClientStream', 'BidiStream'])(
      'has its context when the caller of %s goes away',
      async (kind) => {
        running.logged.clear();
        const { stream } = running.open(kind, { metadata: { 'x-request-id': 'gone' } });
        stream.write({ stringValue: 'one' });
        await loggedUntil(running.logged, 'said {Text}');
        stream.cancel();
        const [told] = await loggedUntil(running.logged, 'cancelled');
        expect(told).toMatchObject({ RequestId: 'gone' });
      },
    );

    it('has its panic', async () => {
      const { status } = await running.ask('BidiStream', [], { metadata: { 'x-crash': '1' } });
      expect(status).toBe('INTERNAL');
      expectPanic(running, 'handler broke');
    });
  });

  describe("a filter of the app's own", () => {
    let running: GrpcRunning;

    beforeAll(async () => {
      running = await GrpcRunning.start(hosting, ProbeCallsController, {
        prepare: (app) => app.useGlobalFilters(new CatchAll()),
      });
    });
    afterAll(() => running.close());

    it.each(KINDS)('leaves the failure of the kind %s to the event of the call', async (kind) => {
      const { status, event } = await running.ask(kind, ['crash']);
      expect(status).toBe('UNAVAILABLE');
      expect(event).toMatchObject({
        level: 'error',
        code: 'UNAVAILABLE',
        error: 'handler broke: disk full',
        stack: expect.stringContaining('Caused by: Error: disk full'),
      });
      expect(running.logged.withTemplate(PANIC).count).toBe(0);
    });
  });
});

/** A filter as apps have them: it answers everything, and logs nothing. */
@Catch()
class CatchAll implements ExceptionFilter {
  catch(): Observable<never> {
    return throwError(() => ({ code: Code.UNAVAILABLE, message: 'oh no' }));
  }
}
