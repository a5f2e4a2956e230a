// A process with the schedules of pg-boss, as its documentation has them, asked as often as it allows.
import { PgBoss } from 'pg-boss';
import { work } from './work.mjs';

const [journal, connectionString, jobs] = process.argv.slice(2);
const boss = new PgBoss({
  connectionString,
  max: 2,
  cronMonitorIntervalSeconds: 1,
  cronWorkerIntervalSeconds: 1,
});
boss.on('error', () => {});
process.on('disconnect', () => process.exit());
await boss.start();
for (const name of jobs.split(',')) {
  await boss.createQueue(name);
  await boss.schedule(name, '* * * * *');
  await boss.work(name, { pollingIntervalSeconds: 0.5 }, async () => {
    // The job does not have its time: it is the minute in which it was made.
    const tick = Math.floor(Date.now() / 60_000) * 60_000;
    await work(journal, { job: name, tick });
  });
}
process.send?.({ ready: true });
