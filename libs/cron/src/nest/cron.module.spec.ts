import { once } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { JOB_SOURCE, WORK_SCOPE, type WorkKind, type WorkScope } from '@apix/contracts';
import { hasMark } from '@apix/contracts/internal';
import { type Hosted, HostedService, HostxModule, HostRef } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CronJob } from '../job/cron-job.js';
import type { Replicas } from '../job/replicas.js';
import { parseExpression } from '../schedule/parse-expression.js';
import { Failing, Outbox, appOf, events, happened, log, nestLog } from './app.fixture.js';
import { CronJobs } from './cron-jobs.js';
import { CronModule } from './cron.module.js';
import { At, Every } from './job.decorators.js';

beforeEach(() => void log.splice(0));

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
      nextRun: parseExpression('0 3 * * *', { timeZone: 'Europe/Berlin' }).next(new Date()),
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

  it('reports the next and the last run of each job', async () => {
    nestLog();
    const { app } = await startHost(appOf([Outbox, Failing]));
    const jobs = app!.get(CronJobs);
    expect(hasMark(jobs, JOB_SOURCE)).toBe(true);
    await jobs.get('fail').trigger();
    await jobs.run('report');
    await expect(jobs.run('nothing')).rejects.toThrow('cron: there is no job nothing');
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
      @At('schedule', parseExpression('@daily')) c(): void {}
    }
    const { app } = await startHost(appOf([Zones], { timeZone: 'Asia/Tokyo' }));
    expect(
      app!
        .get(CronJobs)
        .all()
        .map(({ status }) => status.schedule),
    ).toEqual(['@daily (Asia/Tokyo)', '@daily (UTC)', '@daily']);
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

  it('finds the jobs of an instance once, under however many tokens', async () => {
    const outbox = new Outbox();
    @Module({
      imports: [CronModule.forRoot()],
      providers: [
        { provide: Outbox, useValue: outbox },
        { provide: 'same', useValue: outbox },
        { provide: 'alias', useExisting: Outbox },
      ],
    })
    class App {}
    const { app } = await startHost(App);
    expect(app!.get(CronJobs).all()).toHaveLength(2);
  });

  it('says which jobs there are when asked for another', async () => {
    const { app } = await startHost(appOf([Outbox]));
    expect(() => app!.get(CronJobs).get('swep')).toThrow(
      'cron: there is no job swep; the jobs are: sweep, report',
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
});
