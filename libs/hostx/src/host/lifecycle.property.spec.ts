import { describe, expect, it } from '@jest/globals';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import * as fc from 'fast-check';
import type { Service } from '../service.js';
import { builderOf, ending } from './host.fixture.js';

/** A service of a random host; times in milliseconds. */
interface Plan {
  readonly name: string;
  /** Undefined: after all before it. */
  readonly after: readonly string[] | undefined;
  readonly readyAfter: number;
  readonly stopTakes: number;
  /** When each of its runs ends early; null for never. */
  readonly failsAfter: number | null;
  readonly restarts: boolean;
}

const plans: fc.Arbitrary<readonly Plan[]> = fc
  .array(
    fc.record({
      edges: fc.option(fc.array(fc.nat({ max: 5 }), { maxLength: 3 }), { nil: undefined }),
      readyAfter: fc.nat({ max: 50 }),
      stopTakes: fc.nat({ max: 50 }),
      failsAfter: fc.option(fc.nat({ max: 200 }), { freq: 2 }),
      restarts: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) =>
    all.map(({ edges, ...plan }, index) => ({
      ...plan,
      name: `s${index}`,
      // Only to those before it, so that there is no circle.
      after: edges?.filter((edge) => edge < index).map((edge) => `s${edge}`),
    })),
  );

/** What happened to all services, in order: `s0 start`, `s0 ready`, `s0 end`, `s0 stop`, … */
class Story {
  readonly events: string[] = [];

  add(name: string, what: string): void {
    this.events.push(`${name} ${what}`);
  }

  count(name: string, what: string): number {
    return this.events.filter((event) => event === `${name} ${what}`).length;
  }

  first(name: string, what: string): number {
    return this.events.indexOf(`${name} ${what}`);
  }
}

function serviceOf(plan: Plan, story: Story, clock: FakeClock): Service {
  const { name, readyAfter, stopTakes, failsAfter } = plan;
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => void clock.after(ms, resolve));
  return {
    name,
    start: (signal) =>
      new Promise((resolve, reject) => {
        story.add(name, 'start');
        const end = (settle: () => void): void => {
          cancel();
          story.add(name, 'end');
          settle();
        };
        const cancel =
          failsAfter === null
            ? () => {}
            : clock.after(failsAfter, () => end(() => reject(new Error('boom'))));
        signal.addEventListener('abort', () => end(resolve), { once: true });
      }),
    async ready() {
      await sleep(readyAfter);
      story.add(name, 'ready');
    },
    async stop() {
      story.add(name, 'stop');
      await sleep(stopTakes);
      story.add(name, 'stopped');
    },
  };
}

describe('a host of any services, whenever they fail and whenever it is shut down', () => {
  it('starts each after what it needs, stops each that started once and before that, and ends', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.nat({ max: 500 }), async (services, shutdownAt) => {
        const clock = fakeClock();
        const story = new Story();
        let failures = 0;
        const builder = builderOf(clock).withObserver({ serviceFailed: () => (failures += 1) });
        for (const plan of services) {
          builder.addService(serviceOf(plan, story, clock), {
            after: plan.after,
            restart: plan.restarts ? { initialDelay: 10, maxDelay: 100 } : undefined,
          });
        }
        const host = builder.build();
        const run = ending(host.runContext());
        await clock.advance(shutdownAt);
        host.shutdown('asked to');
        await clock.advance(1_000);

        expect(await run).toMatch(failures > 0 ? /^hostx: service s\d: .*boom/ : /^nil$/);
        expect(host.state.services.map(({ state }) => state)).toEqual(
          services.map(() => 'stopped'),
        );
        for (const [index, { name, after }] of services.entries()) {
          const starts = story.count(name, 'start');
          expect(story.count(name, 'end')).toBe(starts);
          expect(story.count(name, 'stop')).toBe(Math.min(starts, 1));
          const needed = after ?? services.slice(0, index).map((before) => before.name);
          for (const before of starts > 0 ? needed : []) {
            expect(story.first(before, 'ready')).toBeGreaterThanOrEqual(0);
            expect(story.first(before, 'ready')).toBeLessThan(story.first(name, 'start'));
            expect(story.first(before, 'stop')).toBeGreaterThan(story.first(name, 'stopped'));
          }
        }
        // A ready() that nobody waits for any more may still sleep, and nothing else.
        await clock.advance(50);
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
