import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { deadlineAfter, thrownText } from '@apix/contracts';
import { Logger } from '@nestjs/common';
import { BullSource } from './bull-source.js';
import { BullmqSource } from './bullmq-source.js';
import { ScheduleSource } from './schedule-source.js';
import { WorkLedger } from '../../background/work-ledger.js';
import { drainSources } from './work-source.js';
import type { WorkSource } from './work-source.js';

const warnings: string[] = [];
const logger = new Logger('Host');
beforeEach(() => {
  warnings.splice(0);
  jest.spyOn(logger, 'warn').mockImplementation((text: string) => void warnings.push(text));
});

const ledger = (): WorkLedger => new WorkLedger(() => []);

describe('a module of a version that looks different', () => {
  it('is not followed where it is @nestjs/schedule, and a warning says so', () => {
    class ScheduleExplorer {}
    expect(ScheduleSource.find([new ScheduleExplorer()], ledger(), logger)).toBeNull();
    expect(warnings).toEqual([
      'the host does not know this version of @nestjs/schedule and does not wait for its handlers',
    ]);
  });

  it('is not followed where it is bullmq, and a warning says so', async () => {
    class BullExplorer {
      readonly workers = [{ name: 'mail', close: () => {} }];
      register(): void {}
    }
    const source = BullmqSource.find([new BullExplorer()], ledger(), logger);
    expect(warnings).toEqual([
      'the host does not know this version of bullmq and does not wait for its jobs',
    ]);
    await source!.stopIntake();
    await source!.finish();
  });
});

describe('a schedule whose handlers are registered already', () => {
  it('is not followed, and a warning says what to import first', () => {
    class ScheduleExplorer {
      wrapFunctionInTryCatchBlocks(): void {}
    }
    class SchedulerOrchestrator {
      readonly cronJobs = { nightly: {} };
      readonly intervals = {};
      readonly timeouts = {};
    }
    const instances = [new ScheduleExplorer(), new SchedulerOrchestrator()];
    expect(ScheduleSource.find(instances, ledger(), logger)).toBeNull();
    expect(warnings).toEqual([expect.stringContaining('import HostxModule before ScheduleModule')]);
  });
});

describe('a handler of a schedule', () => {
  it('does not begin once the host stops, where its timer was due already', () => {
    class ScheduleExplorer {
      wrapFunctionInTryCatchBlocks(handler: () => unknown): () => unknown {
        return handler;
      }
    }
    class SchedulerOrchestrator {
      readonly cronJobs = {};
      readonly intervals = {};
      readonly timeouts = {};
    }
    const rows = ledger();
    const explorer = new ScheduleExplorer();
    ScheduleSource.find([explorer, new SchedulerOrchestrator()], rows, logger);
    let runs = 0;
    const nightly = (): void => void (runs += 1);
    const tick = (explorer.wrapFunctionInTryCatchBlocks as (...args: unknown[]) => () => void)(
      nightly,
      new (class Reports {})(),
    );
    tick();
    rows.beginStop();
    tick();
    expect(runs).toBe(1);
    expect(warnings).toEqual([]);
  });
});

/** A worker of BullMQ as far as the host uses it; `npm run conformance:background` has real ones. */
function fakeWorker() {
  const calls: string[] = [];
  return {
    calls,
    name: 'mail',
    processFn: (job: { readonly id: string }, _token?: string): unknown => job.id,
    pause: async () => void calls.push('pause'),
    close: async (force?: boolean) => void calls.push(force === true ? 'close by force' : 'close'),
    isPaused: () => false,
    isRunning: () => true,
    getNextJob: () => {},
  };
}

describe('a worker of BullMQ', () => {
  it('that the app provides is followed, once, also when its explorer has it', async () => {
    const worker = fakeWorker();
    class BullExplorer {
      readonly workers: object[] = [];
      register(): string {
        this.workers.push(worker);
        return 'registered';
      }
    }
    const explorer = new BullExplorer();
    const source = BullmqSource.find([worker, explorer], ledger(), logger)!;
    expect(explorer.register()).toBe('registered');
    expect(worker.processFn({ id: '7' })).toBe('7');
    expect(source.works.map(({ about, done }) => [about.name, done])).toEqual([['queue mail', 1]]);
    await source.stopIntake();
    await source.finish();
    source.giveUp();
    expect(worker.calls).toEqual(['pause', 'close', 'close by force']);
    expect(warnings).toEqual([]);
  });

  it('has a row that names the job under way, and counts the failed ones', async () => {
    const worker = fakeWorker();
    let fail = (_error: Error): void => {};
    worker.processFn = () => new Promise((_, reject) => (fail = reject));
    const rows = ledger();
    const source = BullmqSource.find([worker], rows, logger)!;
    const job = worker.processFn({ id: '7' }) as Promise<void>;
    expect(source.works.flatMap(({ underWay }) => underWay.map(({ label }) => label))).toEqual([
      'queue mail (job 7)',
    ]);
    expect(rows.states()).toMatchObject([{ phase: 'running', runs: 0 }]);
    fail(new Error('no stamps'));
    await expect(job).rejects.toThrow('no stamps');
    expect(rows.states()).toMatchObject([
      { phase: 'waiting', runs: 1, failures: 1, lastError: 'no stamps' },
    ]);
  });
});

describe('a job without an id', () => {
  it('goes by the name of its queue alone', () => {
    const worker = fakeWorker();
    worker.processFn = () => new Promise(() => {});
    const source = BullmqSource.find([worker], ledger(), logger)!;
    void worker.processFn({} as never);
    expect(source.works.flatMap(({ underWay }) => underWay.map(({ label }) => label))).toEqual([
      'queue mail',
    ]);
  });
});

describe('an object of the app that has workers', () => {
  it('is not taken for the explorer of BullMQ, whatever its class is called', () => {
    class BullExplorer {
      readonly workers = [fakeWorker()];
    }
    class Pool {
      readonly workers = [fakeWorker()];
      register(): void {}
    }
    expect(BullmqSource.find([new BullExplorer(), new Pool()], ledger(), logger)).toBeNull();
  });
});

describe('several modules of which one fails to stop', () => {
  it('are all waited for, and the failure is reported then', async () => {
    const worker = fakeWorker();
    const rows = ledger();
    let finish = (): void => {};
    worker.processFn = () => new Promise<void>((resolve) => (finish = resolve));
    const source = BullmqSource.find([worker], rows, logger)!;
    worker.processFn({ id: '7' });
    const broken: WorkSource = {
      works: [],
      stopIntake: () => Promise.reject(new Error('no Redis')),
      finish: async () => {},
      giveUp: () => {},
    };
    const drained = drainSources([broken, source], deadlineAfter(Infinity)).catch(thrownText);
    await new Promise((resolve) => setImmediate(resolve));
    expect(worker.calls).toEqual(['pause']);
    finish();
    expect(await drained).toBe('no Redis');
    expect(worker.calls).toEqual(['pause', 'close']);
  });
});

describe('a queue of Bull', () => {
  it('has a row for each name of a job, those of its options included', async () => {
    const calls: string[] = [];
    type Handlers = Record<string, (job: { readonly id: number }) => Promise<unknown>>;
    const queue = {
      name: 'post',
      handlers: { __default__: async ({ id }) => id } as Handlers,
      process: () => {},
      setHandler(name: string, handler: Handlers[string]): void {
        this.handlers[name] = handler;
      },
      async pause(...args: unknown[]) {
        await new Promise((resolve) => setImmediate(resolve));
        calls.push(`pause ${args.join(' ')}`);
      },
      whenCurrentJobsFinished: async () => void calls.push('finished'),
    };
    const source = BullSource.find([queue], ledger())!;
    queue.setHandler('express', async ({ id }) => -id);
    expect(await queue.handlers['__default__']!({ id: 1 })).toBe(1);
    expect(await queue.handlers['express']!({ id: 2 })).toBe(-2);
    expect(source.works.map(({ about, done }) => [about.name, done])).toEqual([
      ['queue post', 1],
      ['queue post/express', 1],
    ]);
    await Promise.all([source.stopIntake(), source.stopIntake()]);
    expect(calls).toEqual(['pause true true']);
    await source.finish();
    expect(calls).toEqual(['pause true true', 'finished']);
  });
});
