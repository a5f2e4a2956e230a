import { EventEmitter, once } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { JOB_SOURCE, WORK_SCOPE, type WorkKind, type WorkScope, hasMark } from '@apix/contracts';
import { type Hosted, HostedService, HostxModule, HostRef } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import {
  Injectable,
  Logger,
  type LoggerService,
  Module,
  type ModuleMetadata,
  Scope,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { CronError } from '../errors.js';
import { CronJob } from '../job/cron-job.js';
import type { Replicas } from '../job/replicas.js';
import { mustExpr } from '../schedule/must-expr.js';
import { CronJobs } from './cron-jobs.js';
import type { CronModuleOptions } from './cron-options.js';
import { CronModule } from './cron.module.js';
import { At, Every } from './job.decorators.js';

/** What happened, in order. */
const log: string[] = [];
const events = new EventEmitter();

function happened(what: string): void {
  log.push(what);
  events.emit(what);
}

beforeEach(() => void log.splice(0));

function appOf(providers: Type[], options: CronModuleOptions = {}, others: ModuleMetadata = {}) {
  @Module({
    ...others,
    imports: [CronModule.forRoot(options), ...(others.imports ?? [])],
    providers,
  })
  class App {}
  return App;
}

@Injectable()
class Outbox {
  backlog = 7;

  @Every('sweep', '1h', { runImmediately: true }) async sweep(signal: AbortSignal): Promise<void> {
    await Promise.resolve();
    happened(`sweep of ${this.backlog}, ${signal.aborted}`);
  }

  @At('report', '0 3 * * *', { timeZone: 'Europe/Berlin' }) report(): void {
    happened('report');
  }
}

@Injectable()
class Failing {
  @Every('fail', '1h') fail(): Promise<void> {
    return Promise.reject(new Error('no disk'));
  }
}

class NestLog implements LoggerService {
  readonly lines: string[] = [];
  log(): void {}
  warn(...parts: unknown[]): void {
    this.lines.push(`warn ${parts.join(' ')}`);
  }
  error(...parts: unknown[]): void {
    this.lines.push(`error ${parts.filter(Boolean).join(' ')}`);
  }
}

/** What Nest's logger is told during a test. */
function nestLog(): string[] {
  const logger = new NestLog();
  Logger.overrideLogger(logger);
  return logger.lines;
}

describe('CronModule', () => {
  it('has the host run decorated methods, each as a service of its own', async () => {
    const ran = once(events, 'sweep of 7, false');
    const { host, app } = await startHost(appOf([Outbox]));
    await ran;
    expect(host.state.services.map(({ name, state }) => [name, state])).toEqual([
      ['sweep', 'ready'],
      ['report', 'ready'],
      ['http', 'ready'],
    ]);
    expect(app!.get(CronJobs).get('report').status).toMatchObject({
      schedule: '0 3 * * * (Europe/Berlin)',
      phase: 'waiting',
      nextRun: mustExpr('0 3 * * *', { timeZone: 'Europe/Berlin' }).next(new Date()),
    });
  });

  it('starts jobs after the services that they use, and ends them before', async () => {
    @HostedService({ name: 'store' })
    class Store implements Hosted {
      async start(signal: AbortSignal): Promise<void> {
        happened('store starts');
        await once(signal, 'abort');
        happened('store ends');
      }

      @Every('purge', '1h', { runImmediately: true }) async purge(signal: AbortSignal) {
        happened('purge begins');
        await once(signal, 'abort');
        happened('purge ends');
      }
    }
    const { stop } = await startHost(appOf([Store]));
    await stop();
    expect(log).toEqual(['store starts', 'purge begins', 'purge ends', 'store ends']);
  });

  it('runs each job in the work scopes of the app, and in those alone', async () => {
    @Injectable()
    class Scopes implements WorkScope {
      readonly [WORK_SCOPE] = true as const;
      run<T>(kind: WorkKind, name: string, fn: () => T): T {
        happened(`${kind} ${name}`);
        return fn();
      }
    }
    const ran = once(events, 'sweep of 7, false');
    await startHost(appOf([Outbox, Scopes]));
    await ran;
    expect(log).toEqual(['cron sweep', 'sweep of 7, false']);
  });

  it('tells the next and the last run of each job', async () => {
    nestLog();
    const { app } = await startHost(appOf([Outbox, Failing]));
    const jobs = app!.get(CronJobs);
    expect(hasMark(jobs, JOB_SOURCE)).toBe(true);
    await jobs.get('fail').trigger();
    await jobs.get('report').trigger();
    expect(jobs.jobs()[1]).toEqual({
      name: 'report',
      schedule: '0 3 * * * (Europe/Berlin)',
      phase: 'waiting',
      next: expect.any(Date),
      lastStart: expect.any(Date),
      lastDurationMs: expect.any(Number),
      lastOutcome: 'ok',
      lastError: null,
      runs: 1,
      failures: 0,
    });
    expect(jobs.jobs()[2]).toMatchObject({
      name: 'fail',
      schedule: 'every 1h',
      lastOutcome: 'failed',
      lastError: 'no disk',
      runs: 1,
      failures: 1,
    });
    const failed = [...jobs.metrics()].filter(({ attributes }) => attributes?.['job'] === 'fail');
    expect(
      failed.map(({ name, value, attributes }) => [name, attributes?.['outcome'], value]),
    ).toEqual([
      ['apix.cron.runs', 'ok', 0],
      ['apix.cron.runs', 'failed', 1],
      ['apix.cron.runs', 'timeout', 0],
      ['apix.cron.runs', 'aborted', 0],
      ['apix.cron.skipped', undefined, 0],
      ['apix.cron.last_duration', undefined, expect.any(Number)],
    ]);
  });

  it('reads expressions in its time zone, unless a job has another', async () => {
    class Zones {
      @At('module', '@daily') a(): void {}
      @At('own', '@daily', { timeZone: 'UTC' }) b(): void {}
      @At('schedule', mustExpr('@daily')) c(): void {}
    }
    const { app } = await startHost(appOf([Zones], { timeZone: 'Asia/Tokyo' }));
    expect(
      app!
        .get(CronJobs)
        .all()
        .map(({ status }) => status.schedule),
    ).toEqual(['@daily (Asia/Tokyo)', '@daily (UTC)', '@daily']);
  });

  it.each([
    ['logs', {}, {}, ['error a run of job fail failed: no disk']],
    ['tells its handler of', { errorHandler: () => happened('module') }, {}, ['module']],
    [
      "tells a job's own handler of",
      { errorHandler: () => happened('module') },
      { errorHandler: () => happened('own') },
      ['own'],
    ],
  ])('%s a failed run', async (_, options, own, expected) => {
    class Job {
      @Every('fail', '1h', own) fail(): void {
        throw new Error('no disk');
      }
    }
    const { app } = await startHost(appOf([Job], options));
    const lines = nestLog();
    await app!.get(CronJobs).get('fail').trigger();
    const first = lines.map((line) => line.split(' Error: ')[0]!);
    expect([...first, ...log]).toEqual(expected);
    expect(lines.every((line) => line.includes('cron.module.spec'))).toBe(true);
  });

  it('logs in one line that the replicas cannot reach each other', async () => {
    class Job {
      @Every('sweep', '1h') sweep(): void {
        throw new CronError('cron: job sweep: Redis cannot be reached');
      }
    }
    const { app } = await startHost(appOf([Job]));
    const lines = nestLog();
    await app!.get(CronJobs).get('sweep').trigger();
    expect(lines).toEqual(['error cron: job sweep: Redis cannot be reached Cron']);
  });

  it('stops the host, naming the job, when one that stops on errors fails', async () => {
    class Job {
      @Every('fail', '1h', { stopOnError: true, errorHandler: () => {} }) fail(): void {
        throw new Error('no disk');
      }
    }
    const { app, stop, host } = await startHost(appOf([Job]));
    await app!.get(CronJobs).get('fail').trigger();
    await host.runContext().catch(() => {});
    expect(String(await stop())).toContain('service fail: no disk');
  });

  it('restarts such a job by its own policy', async () => {
    class Job {
      @Every('fail', '1h', {
        runImmediately: true,
        stopOnError: true,
        errorHandler: () => {},
        restart: { initialDelay: '1ms' },
      })
      fail(): void {
        happened('run');
        if (log.length < 2) throw new Error('no disk');
        happened('well');
      }
    }
    const well = once(events, 'well');
    await startHost(appOf([Job]));
    await well;
    expect(log).toEqual(['run', 'run', 'well']);
  });

  it('finds the jobs of a base class, each once', async () => {
    class Base {
      @Every('base', '1h') base(): void {
        happened('base');
      }
      @Every('both', '1h') both(): void {
        happened('both of base');
      }
    }
    class Derived extends Base {
      override base(): void {
        happened('base of derived');
      }
      @Every('other', '1h') override both(): void {
        happened('both of derived');
      }
    }
    const { app } = await startHost(appOf([Derived]));
    const jobs = app!.get(CronJobs).all();
    expect(jobs.map(({ name }) => name)).toEqual(['base', 'other']);
    for (const job of jobs) await job.trigger();
    expect(log).toEqual(['base of derived', 'both of derived']);
  });

  it('refuses to start with all mistakes at once', async () => {
    class Wrong {
      @At('daily', '0 25 * * *') hour(): void {}
      @At('seconds', '0 0 3 * * *') seconds(): void {}
      @Every('sweep', 0) never(): void {}
    }
    class Twice {
      @Every('twice', '1h') one(): void {}
      @Every('twice', '1h') two(): void {}
    }
    const error = await startHost(appOf([Wrong, Twice])).catch(String);
    expect(error).toContain('cron: Wrong.hour: "0 25 * * *": hour "25": "25" is no number from 0');
    expect(error).toContain('Wrong.seconds: "0 0 3 * * *": 6 fields where five are needed');
    expect(error).toContain('Wrong.never: job sweep: interval: must be at least 1 ms');
    expect(error).toContain('job twice: both Twice.one and Twice.two have the name');
  });

  it('refuses jobs on what is made for each request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {
      @Every('sweep', '1h') sweep(): void {}
    }
    await expect(startHost(appOf([PerRequest]))).rejects.toThrow(
      'cron: job sweep: PerRequest is of request or transient scope, or depends on such a ' +
        'provider; move the job to a singleton',
    );
  });

  it('says which jobs there are when asked for another', async () => {
    const { app } = await startHost(appOf([Outbox]));
    expect(() => app!.get(CronJobs).get('swep')).toThrow(
      'cron: there is no job swep; there are: sweep, report',
    );
  });

  it('leaves the jobs to the replicas, but those that run everywhere', async () => {
    class Shared {
      @Every('shared', '1h') shared(): void {}
      @Every('own', '1h', { everywhere: true }) own(): void {}
    }
    const taken: string[] = [];
    const replicas: Replicas = {
      job(timing, runs) {
        taken.push(`${runs.name} ${timing.kind}`);
        return new CronJob(timing, runs);
      },
    };
    const { host } = await startHost(appOf([Shared], { replicas }));
    expect(taken).toEqual(['shared every']);
    expect(host.state.services.map(({ name }) => name)).toEqual(['shared', 'own', 'http']);
  });

  it('takes options that have to be made first', async () => {
    @Module({
      imports: [CronModule.forRootAsync({ useFactory: () => ({ enabled: false }) })],
      providers: [Outbox],
    })
    class App {}
    const { host } = await startHost(App);
    expect(host.state.services.map(({ name }) => name)).toEqual(['http']);
  });

  it('runs nothing when it is not enabled', async () => {
    const { host, app } = await startHost(appOf([Outbox], { enabled: false }));
    expect(host.state.services.map(({ name }) => name)).toEqual(['http']);
    expect(app!.get(CronJobs).get('sweep').status.phase).toBe('stopped');
  });

  it('runs the jobs of an app with a plain main', async () => {
    const ran = once(events, 'sweep of 7, false');
    const App = appOf(
      [Outbox],
      {},
      {
        imports: [HostxModule.forRoot({ logger: null, drain: { delay: 0 } })],
      },
    );
    const app = await NestFactory.create(App, { logger: false });
    await app.listen(0, '127.0.0.1');
    await ran;
    expect(app.get(HostRef).state.services[0]!.name).toBe('sweep');
    await app.close();
  });

  it.each([
    ['warns', {}, 1],
    ['does not warn, not being enabled,', { enabled: false }, 0],
  ])('%s that there is no host to run the jobs', async (_, options, count) => {
    const app = await NestFactory.create(appOf([Outbox], options), { logger: false });
    const lines = nestLog();
    await app.init();
    expect(lines.filter((line) => line.startsWith('warn 2 jobs will not run'))).toHaveLength(count);
    await app.close();
  });
});

describe("Nest's SchedulerRegistry", () => {
  async function start() {
    const App = appOf([Outbox], {}, { imports: [ScheduleModule.forRoot()] });
    const { app, stop } = await startHost(App);
    const registry = app!.get(SchedulerRegistry);
    return { stop, registry, entry: registry.getCronJob('report'), jobs: app!.get(CronJobs) };
  }

  it('lists every job', async () => {
    const { registry } = await start();
    expect([...registry.getCronJobs().keys()]).toEqual(['sweep', 'report']);
  });

  it('tells the next and the last date', async () => {
    const { entry, jobs } = await start();
    const { nextRun } = jobs.get('report').status;
    expect(entry.nextDate().toJSDate()).toEqual(nextRun);
    expect(entry.nextDate().setZone('Europe/Berlin').toFormat('HH:mm')).toBe('03:00');
    expect(entry.nextDates(2)).toHaveLength(2);
    expect([entry.lastDate(), entry.lastExecution]).toEqual([null, null]);
    await jobs.get('report').trigger();
    expect(entry.lastDate()).toEqual(jobs.get('report').status.lastRun!.startedAt);
  });

  it('stops and starts a job', async () => {
    const { entry, jobs } = await start();
    expect(entry.isActive).toBe(true);
    await entry.stop();
    expect([entry.isActive, jobs.get('report').status.phase]).toEqual([false, 'paused']);
    expect(entry.nextDate().isValid).toBe(true);
    entry.start();
    expect([entry.isActive, jobs.get('report').status.phase]).toEqual([true, 'waiting']);
  });

  it('runs a job at once, and stops one that it forgets', async () => {
    const { entry, registry, jobs } = await start();
    await entry.fireOnTick();
    expect(log).toContain('report');
    registry.deleteCronJob('report');
    expect(jobs.get('report').status.phase).toBe('paused');
  });

  it('has no valid next date when there is none', async () => {
    class Job {
      @At('never', { next: () => null }) never(): void {}
    }
    const App = appOf([Job], {}, { imports: [ScheduleModule.forRoot()] });
    const { app } = await startHost(App);
    expect(app!.get(SchedulerRegistry).getCronJob('never').nextDate().isValid).toBe(false);
  });

  it('refuses what a job of it cannot do', async () => {
    const { entry } = await start();
    expect(() => entry.addCallback(() => {})).toThrow('cron: job report: ');
    expect(() => entry.setTime(entry.cronTime)).toThrow('cron: job report: ');
  });
});
