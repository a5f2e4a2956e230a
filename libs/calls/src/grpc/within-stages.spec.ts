import { AsyncLocalStorage } from 'node:async_hooks';
import { Code, StatusError } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { KINDS, echoServer, stage } from './echo-server.fixture.js';

const place = new AsyncLocalStorage<string>();

/** Surrounds the stages after it, and waits before if that is asked for. */
const outer = (waits: boolean) =>
  stage('outer', {
    onCall: () => (waits ? Promise.resolve() : undefined),
    withinStages: (_call, run) => place.run('outer', run),
  });

describe.each(KINDS)('the stages of a %s call', (kind) => {
  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])('run inside of one before them (it waits: %s, they wait: %s)', async (first, second) => {
    const seen: unknown[] = [];
    const note = (): void => void seen.push(place.getStore());
    const inner = stage('inner', {
      onCall: () => (second ? Promise.resolve().then(note) : note()),
    });
    const last = stage('last', { onCall: note, withinStages: (_call, run) => run() });
    const { call } = await echoServer([outer(first), inner, last]);
    expect((await call(kind)).code).toBe(Code.OK);
    expect(seen).toEqual(['outer', 'outer']);
  });

  it.each([false, true])('deny it from there (they wait: %s)', async (waits) => {
    const denial = new StatusError(Code.PERMISSION_DENIED, 'not you');
    const inner = stage('inner', {
      onCall() {
        if (waits) return Promise.reject(denial);
        throw denial;
      },
    });
    const { call, seen } = await echoServer([outer(false), inner]);
    expect((await call(kind)).code).toBe(Code.PERMISSION_DENIED);
    expect(seen.handled).toBe(0);
  });

  it('are not passed where the one before them throws', async () => {
    const broken = stage('broken', {
      withinStages() {
        throw new Error('mine');
      },
    });
    let passed = 0;
    const inner = stage('inner', { onCall: () => void passed++ });
    const { call, seen } = await echoServer([broken, inner]);
    expect((await call(kind)).code).toBe(Code.INTERNAL);
    expect([passed, seen.handled]).toEqual([0, 0]);
  });

  it('are surrounded where there are any', async () => {
    let surrounded = 0;
    const surrounds = (name: string) =>
      stage(name, {
        withinStages(_call, run) {
          surrounded++;
          run();
        },
      });
    const { call, seen } = await echoServer([surrounds('first'), surrounds('last')]);
    expect((await call(kind)).code).toBe(Code.OK);
    expect([surrounded, seen.handled]).toEqual([1, 1]);
  });
});
