import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import * as fc from 'fast-check';
import { builderOf, ending } from '../host/host.fixture.js';
import type { Service } from '../service.js';

/** What the world does to a supervised service, one after the other. */
type Move =
  | { readonly do: 'fail' }
  | { readonly do: 'end' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'jump'; readonly ms: number }
  | { readonly do: 'reload' }
  | { readonly do: 'stop' };

/** The smallest thing that obeys the spec's rules 6 to 9: numbers, no promises, no timers. */
class Model {
  now = 0;
  state: 'ready' | 'backoff' | 'failed' | 'stopped' = 'ready';
  attempt = 0;
  starts = 1;
  reloads = 0;
  readonly delays: number[] = [];
  private readyAt = 0;
  private dueAt = 0;

  constructor(
    readonly policy: {
      readonly maxAttempts: number;
      readonly initialDelay: number;
      readonly maxDelay: number;
      readonly factor: number;
      readonly resetAfter: number;
    } | null,
  ) {}

  play(move: Move): void {
    if (this.state === 'failed' || this.state === 'stopped') return;
    if (move.do === 'stop') this.state = 'stopped';
    else if (move.do === 'wait') this.wait(move.ms);
    else if (move.do === 'reload') this.reloads += 1;
    else if (move.do !== 'jump' && this.state === 'ready') this.fail();
  }

  private wait(ms: number): void {
    this.now += ms;
    if (this.state === 'backoff' && this.now >= this.dueAt) {
      this.state = 'ready';
      this.starts += 1;
      this.readyAt = this.dueAt;
    }
    if (this.state === 'ready' && this.now - this.readyAt >= (this.policy?.resetAfter ?? 0)) {
      this.attempt = 0;
    }
  }

  private fail(): void {
    const { policy } = this;
    if (policy === null || (policy.maxAttempts > 0 && this.attempt === policy.maxAttempts)) {
      this.state = 'failed';
      return;
    }
    this.attempt += 1;
    const delay = Math.min(
      policy.initialDelay * policy.factor ** (this.attempt - 1),
      policy.maxDelay,
    );
    this.delays.push(delay);
    this.state = 'backoff';
    this.dueAt = this.now + delay;
  }
}

const moves = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<Move>({ do: 'fail' }) },
    { weight: 1, arbitrary: fc.constant<Move>({ do: 'end' }) },
    {
      weight: 6,
      arbitrary: fc.integer({ min: 1, max: 5_000 }).map((ms): Move => ({ do: 'wait', ms })),
    },
    {
      weight: 1,
      arbitrary: fc.integer({ min: -9_000, max: 9_000 }).map((ms): Move => ({ do: 'jump', ms })),
    },
    { weight: 1, arbitrary: fc.constant<Move>({ do: 'reload' }) },
    { weight: 1, arbitrary: fc.constant<Move>({ do: 'stop' }) },
  ),
  { maxLength: 40 },
);

const policies = fc.option(
  fc
    .record({
      maxAttempts: fc.integer({ min: 0, max: 4 }),
      initialDelay: fc.integer({ min: 1, max: 2_000 }),
      span: fc.integer({ min: 0, max: 20_000 }),
      factor: fc.constantFrom(1, 1.5, 2, 10),
      resetAfter: fc.integer({ min: 1, max: 10_000 }),
    })
    .map(({ span, ...policy }) => ({ ...policy, maxDelay: policy.initialDelay + span })),
);

describe('the supervisor', () => {
  it('does what the reference model does, whatever fails, reloads, passes or is stopped', async () => {
    await fc.assert(
      fc.asyncProperty(policies, moves, async (policy, played) => {
        const clock = fakeClock();
        const model = new Model(policy);
        const seen = { starts: 0, running: 0, stops: 0, reloads: 0, delays: [] as number[] };
        let end: (error?: Error) => void = () => {};
        const service: Service = {
          name: 's',
          start: (signal) =>
            new Promise<void>((resolve, reject) => {
              seen.starts += 1;
              seen.running += 1;
              const finish = (settle: () => void): void => {
                seen.running -= 1;
                settle();
              };
              end = (error) => finish(error === undefined ? resolve : () => reject(error));
              signal.addEventListener('abort', () => finish(resolve), { once: true });
            }),
          stop: () => void (seen.stops += 1),
        };
        const host = builderOf(clock)
          .addService(service, { restart: policy ?? undefined })
          .onReload(() => void (seen.reloads += 1))
          .withObserver({ serviceRestarting: ({ delayMs }) => seen.delays.push(delayMs) })
          .build();
        const run = ending(host.runContext());
        await clock.advance(0);

        for (const move of [...played, { do: 'stop' } as const]) {
          const wasReady = model.state === 'ready';
          model.play(move);
          if (move.do === 'wait') await clock.advance(move.ms);
          else if (move.do === 'jump') clock.jump(move.ms);
          else if (move.do === 'reload') void host.reload();
          else if (move.do === 'stop') host.shutdown();
          else if (wasReady) end(move.do === 'fail' ? new Error('boom') : undefined);
          await clock.advance(0);

          const { state, attempt } = host.state.services[0]!;
          const isOver = model.state === 'failed' || model.state === 'stopped';
          expect({ state, attempt, ...seen }).toEqual({
            state: isOver ? 'stopped' : model.state,
            attempt: model.attempt,
            starts: model.starts,
            running: model.state === 'ready' ? 1 : 0,
            stops: isOver ? 1 : 0,
            reloads: model.reloads,
            delays: model.delays,
          });
          expect(host.state.phase).toBe(isOver ? 'stopped' : 'running');
        }
        expect(await run).toMatch(model.state === 'failed' ? /^hostx: service s: / : /^nil$/);
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
