import { describe, expect, it } from '@jest/globals';
import { unreadableValues } from '@apix/contracts/testing';
import { startHost } from '@apix/hostx/testing';
import { appOf, nestLog } from './app.fixture.js';
import { CronJobs } from './cron-jobs.js';
import { Every } from './job.decorators.js';

describe.each(unreadableValues())('CronModule, when a job throws %s,', (_, thrown) => {
  it('logs the failure with a text, and lists the job with it', async () => {
    class Job {
      @Every('fail', '1h') fail(): void {
        throw thrown as Error;
      }
    }
    const { app } = await startHost(appOf([Job]));
    const lines = nestLog();
    const jobs = app!.get(CronJobs);
    expect(await jobs.get('fail').trigger()).toMatchObject({ outcome: 'failed' });
    expect(lines).toEqual([expect.stringMatching(/^error a run of job fail failed: ./)]);
    expect(jobs.jobs()).toMatchObject([{ name: 'fail', failures: 1, runs: 1 }]);
  });

  it('stops the host, naming the job, when that one stops on errors', async () => {
    class Job {
      @Every('fail', '1h', { stopOnError: true }) fail(): void {
        throw thrown as Error;
      }
    }
    const { app, stop, host } = await startHost(appOf([Job]));
    nestLog();
    await app!.get(CronJobs).get('fail').trigger();
    await host.runContext().catch(() => {});
    expect(String(await stop())).toMatch(/service fail: ./);
  });
});
