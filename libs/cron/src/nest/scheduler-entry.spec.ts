import { beforeEach, describe, expect, it } from '@jest/globals';
import { startHost } from '@apix/hostx/testing';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { Outbox, appOf, log } from './app.fixture.js';
import { CronJobs } from './cron-jobs.js';
import { At, Every } from './job.decorators.js';

beforeEach(() => void log.splice(0));

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

  it('returns the next and the last date', async () => {
    const { entry, jobs } = await start();
    const { nextRun } = jobs.get('report').status;
    expect(entry.nextDate().toJSDate()).toEqual(nextRun);
    expect(entry.nextDate().setZone('Europe/Berlin').toFormat('HH:mm')).toBe('03:00');
    expect(entry.nextDates(2)).toHaveLength(2);
    expect([entry.lastDate(), entry.lastExecution]).toEqual([null, null]);
    await jobs.get('report').trigger();
    expect(entry.lastDate()).toEqual(jobs.get('report').status.lastRun!.startedAt);
  });

  it('shows a run that is under way', async () => {
    let end = (): void => {};
    class Job {
      @Every('slow', '1h') slow(): Promise<void> {
        return new Promise((resolve) => (end = resolve));
      }
    }
    const { app } = await startHost(appOf([Job], {}, { imports: [ScheduleModule.forRoot()] }));
    const entry = app!.get(SchedulerRegistry).getCronJob('slow');
    const run = entry.fireOnTick();
    expect([entry.isCallbackRunning, entry.lastDate()]).toEqual([true, expect.any(Date)]);
    end();
    await run;
    expect(entry.isCallbackRunning).toBe(false);
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
