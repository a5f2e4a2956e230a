import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestFollower, ServedOutcome, ServedRequests } from '@apix/contracts';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import type { RouteRow } from './section-views.js';
import { RouteHistory } from './route-history.js';

const MOMENT_MS = 1_000;

/** A source of which the test ends the requests. */
class FakeRequests implements ServedRequests {
  readonly followers = new Set<RequestFollower>();

  follow(follower: RequestFollower): () => void {
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  end(name: string, ms = 1, outcome: ServedOutcome = 'ok'): void {
    for (const follow of this.followers) follow(name, ms, outcome);
  }
}

let clock: FakeClock;
let requests: FakeRequests;
let history: RouteHistory;
let leave: () => void;

const rowOf = (name: string): RouteRow => history.view().routes.find((row) => row.name === name)!;
const names = (): readonly string[] => history.view().routes.map(({ name }) => name);
const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

beforeEach(() => {
  clock = fakeClock();
  clock.jump(10_000 * MOMENT_MS);
  requests = new FakeRequests();
  history = new RouteHistory(MOMENT_MS, clock);
  leave = history.follow([requests]);
});

describe('the history of routes', () => {
  it('has what was counted in each moment that is over, the newest last', async () => {
    requests.end('GET /a', 10);
    requests.end('GET /a', 30.0004, 'failed');
    requests.end('GET /b', 5, 'refused');
    expect(names()).toEqual([]);
    await clock.advance(2 * MOMENT_MS);
    requests.end('GET /a', 7);
    await clock.advance(MOMENT_MS);
    expect(rowOf('GET /a')).toEqual({
      name: 'GET /a',
      calls: [2, 0, 1],
      failed: [1, 0, 0],
      refused: [0, 0, 0],
      totalMs: [40, 0, 7],
      longestMs: [30, 0, 7],
    });
    expect(rowOf('GET /b')).toMatchObject({ calls: [1, 0, 0], refused: [1, 0, 0] });
    const { at, momentMs, moments } = history.view();
    expect([at, momentMs, moments]).toEqual([
      Math.floor(clock.now() / MOMENT_MS) * MOMENT_MS,
      MOMENT_MS,
      60,
    ]);
  });

  it('forgets what is older than it reaches back, whether or not it was looked at', async () => {
    requests.end('GET /a');
    await clock.advance(60 * MOMENT_MS);
    expect(rowOf('GET /a').calls).toEqual([1, ...Array<number>(59).fill(0)]);
    await clock.advance(MOMENT_MS);
    requests.end('GET /b');
    expect(names()).not.toContain('GET /a');
    await clock.advance(200 * MOMENT_MS);
    requests.end('GET /b');
    await clock.advance(MOMENT_MS);
    expect(rowOf('GET /b').calls).toEqual([...Array<number>(59).fill(0), 1]);
  });

  it('shows the busiest, and those that fail however rarely, and the rest as one', async () => {
    for (let n = 0; n < 100; n++) {
      for (let i = 0; i <= n; i++) requests.end(`GET /${n}`, n);
    }
    requests.end('GET /rare', 1, 'failed');
    await clock.advance(MOMENT_MS);
    const { routes, rest } = history.view();
    expect(routes).toHaveLength(30);
    expect(names()).toEqual(expect.arrayContaining(['GET /rare', 'GET /99', 'GET /71']));
    expect(names()).not.toContain('GET /70');
    expect(rest).toMatchObject({ name: 'all others', calls: [(71 * 72) / 2], longestMs: [70] });
  });

  it('keeps a place for the busiest where many fail', async () => {
    for (let n = 0; n < 50; n++) requests.end(`GET /${n}`, 1, 'failed');
    for (let n = 0; n < 20; n++) {
      for (let i = 0; i < 5; i++) requests.end(`GET /busy/${n}`);
    }
    await clock.advance(MOMENT_MS);
    expect(names().filter((name) => name.startsWith('GET /busy'))).toHaveLength(20);
  });

  it('tells a bounded number of routes apart, by a bounded name, and loses no request', async () => {
    for (let n = 0; n < 1_000; n++) requests.end(`${n} ${'x'.repeat(100_000)}`);
    await clock.advance(MOMENT_MS);
    const { routes, rest } = history.view();
    const counted = [...routes, rest].map(({ calls }) => total(calls));
    expect(total(counted)).toBe(1_000);
    expect(JSON.stringify(routes).length).toBeLessThan(10_000);
    await clock.advance(100 * MOMENT_MS);
    requests.end('GET /new');
    await clock.advance(MOMENT_MS);
    expect(total(rowOf('GET /new').calls)).toBe(1);
  });

  it('stands still while the clock is a little behind, and begins anew if it is far behind', async () => {
    requests.end('GET /a');
    await clock.advance(5 * MOMENT_MS);
    expect(names()).toEqual(['GET /a']);
    clock.jump(-3 * MOMENT_MS);
    requests.end('GET /a');
    await clock.advance(4 * MOMENT_MS);
    expect(rowOf('GET /a').calls).toEqual([1, 0, 0, 0, 0, 1]);
    clock.jump(-1_000 * MOMENT_MS);
    requests.end('GET /b');
    await clock.advance(MOMENT_MS);
    expect([names(), rowOf('GET /b').calls]).toEqual([['GET /b'], [1]]);
  });

  it('needs no timer, and counts no more after its end', async () => {
    expect(clock.pending).toBe(0);
    leave();
    requests.end('GET /a');
    await clock.advance(MOMENT_MS);
    expect([requests.followers.size, names()]).toEqual([0, []]);
  });
});
