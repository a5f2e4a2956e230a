import { setTimeout as sleep } from 'node:timers/promises';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Cron, Interval, ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import type { Peer } from './claim.js';

/** How long a run takes, and how long ticks are waited for, in milliseconds. */
const RUN_MS = 1_600;
const TICKS_MS = 3_400;

/** Starts an app whose jobs are those of a class. */
async function startWith(provider: new () => object): Promise<INestApplicationContext> {
  @Module({ imports: [ScheduleModule.forRoot()], providers: [provider] })
  class App {}
  return NestFactory.createApplicationContext(App, { logger: false });
}

/** The most runs at a time of a job that takes longer than its tick. */
async function mostAtOnce(options: { readonly waitForCompletion?: boolean }): Promise<string> {
  let running = 0;
  let most = 0;
  @Injectable()
  class Jobs {
    @Cron('* * * * * *', options) async run(): Promise<void> {
      most = Math.max(most, ++running);
      await sleep(RUN_MS);
      running -= 1;
    }
  }
  const app = await startWith(Jobs);
  await sleep(TICKS_MS);
  await app.close();
  return most > 1 ? 'overlap' : 'one at a time';
}

export const schedule: Peer = {
  name: '@nestjs/schedule',
  claims: [
    {
      says: 'a run that outlasts its tick',
      expected: 'overlap',
      see: () => mostAtOnce({}),
    },
    {
      says: 'a run that outlasts its tick, with waitForCompletion',
      expected: 'one at a time',
      see: () => mostAtOnce({ waitForCompletion: true }),
    },
    {
      says: 'a stop during a run',
      expected: 'does not wait',
      see: async () => {
        let isOver = false;
        let begun = (): void => {};
        const first = new Promise<void>((resolve) => (begun = resolve));
        @Injectable()
        class Jobs {
          @Interval(50) async run(): Promise<void> {
            begun();
            await sleep(RUN_MS);
            isOver = true;
          }
        }
        const app = await startWith(Jobs);
        await first;
        await app.close();
        return isOver ? 'waits' : 'does not wait';
      },
    },
    {
      says: 'several replicas',
      expected: 'each runs the tick',
      see: async () => {
        const ran: string[] = [];
        const replica = (name: string): new () => object => {
          @Injectable()
          class Jobs {
            @Cron('* * * * * *') run(): void {
              ran.push(name);
            }
          }
          return Jobs;
        };
        const apps = await Promise.all([startWith(replica('a')), startWith(replica('b'))]);
        await sleep(1_200);
        await Promise.all(apps.map((app) => app.close()));
        return new Set(ran).size === 2 ? 'each runs the tick' : 'one runs it';
      },
    },
    {
      says: 'seconds in expressions, jobs added at run time',
      expected: 'yes',
      see: async () => {
        const app = await startWith(class {});
        let hasRun = false;
        const job = CronJob.from({ cronTime: '* * * * * *', onTick: () => void (hasRun = true) });
        app.get(SchedulerRegistry).addCronJob('late', job);
        job.start();
        await sleep(1_200);
        await job.stop();
        await app.close();
        return hasRun ? 'yes' : 'no';
      },
    },
  ],
};
