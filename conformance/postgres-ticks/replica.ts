import { CronModule, Every, type Tick } from '@apix/cron';
import { postgresReplicas } from '@apix/cron/postgres';
import { HostxModule, runHost } from '@apix/hostx';
import { Injectable, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { work } from './work.mjs';

const [
  journal = '',
  connectionString = '',
  jobs = '',
  maxReruns = '0',
  interval = '3s',
  rerunAfter = '2s',
] = process.argv.slice(2);
const pool = new Pool({ connectionString, max: 2, connectionTimeoutMillis: 2_000 });
pool.on('error', () => {});

/** The writes of the work, which a replica that has lost its run must not make. */
const WRITE = `insert into results (job, tick, pid)
  select $1, $2, $3 from (
    select from apix_cron_jobs
    where job = $1 and fence = $4 and holder is not null and leased_until > clock_timestamp() for share
  ) as mine`;

@Injectable()
class Jobs {}
for (const job of jobs.split(',')) {
  const method = async (_signal: AbortSignal, { scheduled, fence }: Tick): Promise<void> => {
    const tick = scheduled!.getTime();
    await work(journal, { job, tick });
    await pool.query(WRITE, [job, tick, process.pid, fence]);
  };
  const descriptor = { value: method, writable: true, configurable: true, enumerable: false };
  Object.defineProperty(Jobs.prototype, job, descriptor);
  Every(job, interval)(Jobs.prototype, job, descriptor);
  Object.defineProperty(Jobs.prototype, job, descriptor);
}

@Module({
  imports: [
    HostxModule.forRoot({ http: false, shutdownTimeout: '10s' }),
    CronModule.forRoot({
      replicas: postgresReplicas({ pool, rerunAfter, maxReruns: Number(maxReruns) }),
    }),
  ],
  providers: [Jobs],
})
class App {}

// Nobody is left to run for.
process.on('disconnect', () => process.exit());
await runHost(App, { nest: { logger: ['error'] } });
await pool.end();
