import { once } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startHost } from '@apix/hostx/testing';
import { Injectable, Scope } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CronError } from '../errors.js';
import { Outbox, appOf, events, happened, log, nestLog } from './app.fixture.js';
import { CronJobs } from './cron-jobs.js';
import { At, Every } from './job.decorators.js';

beforeEach(() => void log.splice(0));

describe('CronModule, when something is wrong,', () => {
  it.each([
    ['logs', {}, {}, ['error a run of job fail failed: no disk']],
    ['calls its handler for', { errorHandler: () => happened('module') }, {}, ['module']],
    [
      "calls a job's own handler for",
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
    expect(lines.every((line) => line.includes('cron-failures.spec'))).toBe(true);
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

  it('refuses to start with all mistakes at once', async () => {
    class Wrong {
      @At('daily', '0 25 * * *') hour(): void {}
      @At('seconds', '30 0 3 * * *') seconds(): void {}
      @Every('sweep', 0) never(): void {}
    }
    class Twice {
      @Every('twice', '1h') one(): void {}
      @Every('twice', '1h') two(): void {}
    }
    const error = await startHost(appOf([Wrong, Twice])).catch(String);
    expect(error).toContain('cron: 4 mistakes:\n  Wrong.hour: schedule: "0 25 * * *": hour "25": ');
    expect(error).toContain('Wrong.seconds: schedule: "30 0 3 * * *": must have 5 fields');
    expect(error).toContain('Wrong.never: interval: must be greater than 0, not 0');
    expect(error).toContain('job twice: Twice.one and Twice.two have the same name');
  });

  it('refuses jobs on what is made for each request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {
      @Every('sweep', '1h') sweep(): void {}
    }
    await expect(startHost(appOf([PerRequest]))).rejects.toThrow(
      'cron: job sweep: PerRequest is request- or transient-scoped, or depends on such a ' +
        'provider; move the job to a singleton',
    );
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

describe('a misspelt option of a decorator', () => {
  class Misspelt {
    @At('nightly', '0 3 * * *', { timezone: 'UTC' } as object) a(): void {}
    @Every('sweep', '1m', { everywere: true } as object) b(): void {}
  }

  it('keeps the app from starting, named with the right option', async () => {
    await expect(startHost(appOf([Misspelt]))).rejects.toMatchObject({
      mistakes: [
        'Misspelt.a: timezone: is not known here; did you mean timeZone?',
        'Misspelt.b: everywere: is not known here; did you mean everywhere?',
      ],
    });
  });
});

describe('the options of CronModule', () => {
  const wrong: readonly (readonly [string, object, string])[] = [
    ['enabled', { enabled: 'no' }, 'enabled: must be true or false, not "no"'],
    [
      'timeZone',
      { timeZone: 'Mars' },
      'timeZone: "Mars" is not a time zone; use an IANA name such as "Europe/Berlin"',
    ],
    ['errorHandler', { errorHandler: 7 }, 'errorHandler: must be a function, not 7'],
    [
      'replicas',
      { replicas: null },
      'replicas: must be replicas such as those of bullmqReplicas(…), not null',
    ],
  ];

  it.each(wrong)('are refused with a wrong %s, also without any job', async (_, options, text) => {
    await expect(startHost(appOf([], options))).rejects.toMatchObject({
      name: 'CronError',
      message: `cron: ${text}`,
      mistakes: [text],
    });
  });

  it('are reported together', async () => {
    const all = Object.assign({}, ...wrong.map(([, options]) => options)) as object;
    await expect(startHost(appOf([Outbox], all))).rejects.toMatchObject({
      mistakes: wrong.map(([, , text]) => text),
    });
  });
});
