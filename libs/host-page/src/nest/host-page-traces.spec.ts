import { describe, expect, it } from '@jest/globals';
import {
  INFRASTRUCTURE_ENDPOINT,
  type RecentTrace,
  TRACE_SOURCE,
  type TraceSource,
} from '@apix/contracts';
import { hasMark } from '@apix/contracts/internal';
import { Injectable, Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { startHost } from '@apix/hostx/testing';
import { KeyGuard, follow, get, moduleWith, textOf } from './host-page.fixture.js';

const TRACE: RecentTrace = {
  id: 'b1',
  traceId: 'a1',
  name: '<img src=x onerror=alert(1)>',
  kind: 'server',
  startedAt: 1,
  durationMs: 2,
  failed: false,
  refused: false,
  error: null,
  spanCount: 0,
};

@Injectable()
class Traces implements TraceSource {
  readonly [TRACE_SOURCE] = true as const;
  traces() {
    return [TRACE];
  }
  trace(id: string) {
    return id === TRACE.id ? { ...TRACE, spans: [], leftOut: 0 } : undefined;
  }
}

@Module({ providers: [Traces] })
class TracesModule {}

describe('the requests on the host page', () => {
  it.each([
    ['Express', undefined],
    ['Fastify', new FastifyAdapter()],
  ])('are told in short, and whole on demand (%s)', async (_, adapter) => {
    const { app } = await startHost(moduleWith({ public: true }, TracesModule), {
      ...(adapter && { adapter }),
    });
    const { sections } = await (await follow(app!, '/host/stream?tab=traces')).next(() => true);
    expect(sections).toEqual({ traces: { traces: [TRACE], logged: {} } });
    const answer = await get(app!, '/host/traces/b1');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(JSON.parse(await textOf(answer))).toEqual({
      ...TRACE,
      spans: [],
      leftOut: 0,
      log: null,
    });
    expect((await get(app!, '/host/traces/b2')).statusCode).toBe(404);
    const head = await get(app!, '/host/traces/b1', {}, 'HEAD');
    expect(await textOf(head)).toBe('');
  });

  it('are for those that the guard lets in', async () => {
    const { app } = await startHost(moduleWith({ guard: KeyGuard }, TracesModule));
    expect((await get(app!, '/host/traces/b1')).statusCode).toBe(403);
    expect((await get(app!, '/host/traces/b1', { 'x-key': 'open' })).statusCode).toBe(200);
  });

  it('are not those of the page that lasts as long as somebody looks', async () => {
    const requests: object[] = [];
    const { app } = await startHost(moduleWith({ public: true }, TracesModule), {
      configure: (created) =>
        void created.use((request: object, _: unknown, next: () => void) => {
          requests.push(request);
          next();
        }),
    });
    await (await follow(app!)).next(() => true);
    await textOf(await get(app!, '/host'));
    expect(requests.map((request) => hasMark(request, INFRASTRUCTURE_ENDPOINT))).toEqual([
      true,
      false,
    ]);
  });

  it('are nothing where nothing keeps them', async () => {
    const { app } = await startHost(moduleWith({ public: true }));
    const { tabs } = await (await follow(app!, '/host/stream?tab=traces')).next(() => true);
    expect(tabs).toEqual(['overview', 'jobs']);
    expect((await get(app!, '/host/traces/b1')).statusCode).toBe(404);
  });
});
