import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostxModule, runHost } from '@apix/hostx';
import { At, CronJobs, CronModule, Every, type Tick } from '@apix/cron';
import { bullmqReplicas } from '@apix/cron/bullmq';
import { Inject, Injectable, Module } from '@nestjs/common';
import { note } from './journal.js';

/** One of the processes: `replica.mjs <journal> <port of Redis> <interval> <rerunAfter>`. */
const [journal = '', port = '', interval = '', rerunAfter = ''] = process.argv.slice(2);
const { pid } = process;

async function run(signal: AbortSignal, tick: Tick, ms: number): Promise<void> {
  const about = { job: tick.job, tick: tick.scheduled?.getTime() ?? 0, pid };
  note(journal, { what: 'begin', ...about, lateMs: Date.now() - about.tick });
  process.send?.(about);
  try {
    if (ms > 0) await sleep(ms, undefined, { signal });
  } catch (error) {
    note(journal, { what: 'aborted', ...about });
    throw error;
  }
  note(journal, { what: 'end', ...about });
}

function someTime(): number {
  return 100 + Math.random() * 300;
}

@Injectable()
class Jobs {
  @Every('job-1', interval) one(signal: AbortSignal, tick: Tick) {
    return run(signal, tick, someTime());
  }
  @Every('job-2', interval) two(signal: AbortSignal, tick: Tick) {
    return run(signal, tick, someTime());
  }
  @Every('job-3', interval, { jitter: '200ms' }) three(signal: AbortSignal, tick: Tick) {
    return run(signal, tick, someTime());
  }
  @Every('job-4', interval) four(signal: AbortSignal, tick: Tick) {
    return run(signal, tick, someTime());
  }
  /** Over before other replicas have given the tick. */
  @Every('quick', interval) quick(signal: AbortSignal, tick: Tick) {
    return run(signal, tick, 0);
  }
  /** Too slow for its interval. */
  @Every('slow', '500ms') slow(signal: AbortSignal, tick: Tick) {
    return run(signal, tick, 4_000);
  }
  @Every('startup', '1d', { runImmediately: true }) startup(signal: AbortSignal, tick: Tick) {
    return run(signal, tick, someTime());
  }
  @At('minutely', '* * * * *') minutely(signal: AbortSignal, tick: Tick) {
    return run(signal, tick, someTime());
  }
}

@Injectable()
class Trigger {
  constructor(@Inject(CronJobs) jobs: CronJobs) {
    process.on('message', async (job: string) => {
      process.send?.({ triggered: await jobs.get(job).trigger() });
    });
  }
}

@Module({
  imports: [
    HostxModule.forRoot({ http: false, shutdownTimeout: '10s' }),
    CronModule.forRoot({
      replicas: bullmqReplicas({ connection: { port: Number(port) }, rerunAfter }),
    }),
  ],
  providers: [Jobs, Trigger],
})
class App {}

// Nobody is left to run for.
process.on('disconnect', () => process.exit());

await runHost(App, { nest: { logger: ['warn', 'error'] } });
