import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostxModule, runHost } from '@apix/hostx';
import { At, CronModule, Every, type Tick } from '@apix/cron';
import { bullmqReplicas } from '@apix/cron/bullmq';
import { Injectable, Module } from '@nestjs/common';
import { note } from './journal.js';

/** One of the processes: `replica.mjs <journal> <port of Redis> <interval> <rerunAfter>`. */
const [journal = '', port = '', interval = '', rerunAfter = ''] = process.argv.slice(2);
const { pid } = process;

async function run(signal: AbortSignal, { job, scheduled }: Tick): Promise<void> {
  const tick = scheduled?.getTime() ?? 0;
  note(journal, { what: 'begin', job, tick, pid });
  process.send?.({ job, tick });
  try {
    await sleep(100 + Math.random() * 300, undefined, { signal });
  } catch (error) {
    note(journal, { what: 'aborted', job, tick, pid });
    throw error;
  }
  note(journal, { what: 'end', job, tick, pid });
}

@Injectable()
class Jobs {
  @Every('job-1', interval) one(signal: AbortSignal, tick: Tick) {
    return run(signal, tick);
  }
  @Every('job-2', interval) two(signal: AbortSignal, tick: Tick) {
    return run(signal, tick);
  }
  @Every('job-3', interval, { jitter: '200ms' }) three(signal: AbortSignal, tick: Tick) {
    return run(signal, tick);
  }
  @Every('job-4', interval) four(signal: AbortSignal, tick: Tick) {
    return run(signal, tick);
  }
  @At('minutely', '* * * * *') minutely(signal: AbortSignal, tick: Tick) {
    return run(signal, tick);
  }
}

@Module({
  imports: [
    HostxModule.forRoot({ http: false, shutdownTimeout: '10s' }),
    CronModule.forRoot({
      replicas: bullmqReplicas({ connection: { port: Number(port) }, rerunAfter }),
    }),
  ],
  providers: [Jobs],
})
class App {}

// Nobody is left to run for.
process.on('disconnect', () => process.exit());
await runHost(App, { nest: { logger: ['warn', 'error'] } });
