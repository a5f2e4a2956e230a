import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { ClientProxyFactory, type RedisOptions, Transport } from '@nestjs/microservices';
import Bull from 'bull';
import { Queue, Worker } from 'bullmq';
import { firstValueFrom } from 'rxjs';
import { freePort } from '../../tools/testing/free-port.js';
import { Redis } from '../redis.js';

const WORK = [
  'bull',
  'bullmq',
  'cron',
  'interval',
  'redis',
  'redis-event',
  'request',
  'tcp',
  'timeout',
];

/** What each has as its work scope; a request has none of the host's. */
const SCOPES: Readonly<Record<string, string>> = {
  bull: 'message queue post',
  bullmq: 'message queue mail',
  cron: 'cron Timers.cron',
  interval: 'cron Timers.interval',
  redis: 'message Redis redis',
  'redis-event': 'message Redis redis-event',
  request: 'nothing',
  tcp: 'message TCP tcp',
  timeout: 'cron Timers.timeout',
};

/** How long work goes on after the signal: an app that does not wait has closed its database. */
const WORK_MS = 700;

interface Ending {
  readonly lines: readonly string[];
  readonly errors: string;
  readonly code: number | null;
  readonly ms: number;
  readonly answers: readonly unknown[];
  readonly jobs: object;
}

async function run(mode: string): Promise<Ending> {
  const redis = await Redis.create();
  await redis.start();
  const [httpPort, tcpPort] = [await freePort(), await freePort()];
  const args = [mode, redis.port, httpPort, tcpPort].map(String);
  const app = join(import.meta.dirname, 'app.mjs');
  const child = spawn(process.execPath, [app, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  child.channel?.unref();
  const lines: string[] = [];
  let errors = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const said = createInterface(child.stdout!);
  said.on('line', (line) => lines.push(line));
  const ended = once(child, 'close');
  // Timers work earlier.
  while (!lines.includes('listening')) await once(said, 'line');

  const connection = { host: '127.0.0.1', port: redis.port };
  const mail = new Queue('mail', { connection });
  const post = new Bull('post', { redis: connection });
  const tcp = ClientProxyFactory.create({
    transport: Transport.TCP,
    options: { host: '127.0.0.1', port: tcpPort },
  });
  const messages = ClientProxyFactory.create({
    transport: Transport.REDIS,
    options: connection,
  } as RedisOptions);
  await mail.add('letter', {});
  await post.add({});
  const lost = (error: unknown): string => `lost: ${String(error)}`;
  const answers = Promise.all([
    fetch(`http://127.0.0.1:${httpPort}/slow`).then((response) => response.text(), lost),
    firstValueFrom(tcp.send('tcp', {})).catch(lost),
    firstValueFrom(messages.send('redis', {})).catch(lost),
  ]);
  messages.emit('redis-event', {}).subscribe();
  while (lines.filter((line) => line.endsWith(' begun')).length < WORK.length) {
    await once(said, 'line');
  }

  const begun = Date.now();
  child.kill('SIGTERM');
  await sleep(WORK_MS);
  if (child.connected && mode !== 'stuck') child.send('finish');
  const [code] = (await ended) as [number | null];
  const ms = Date.now() - begun;
  if (mode === 'stuck') await takenOver(mail, connection);
  const jobs = {
    mail: await mail.getJobCounts('active', 'completed', 'failed', 'waiting'),
    post: await post.getJobCounts(),
  };
  // A publisher whose subscriber is gone never hears of it.
  const given = await Promise.race([answers, sleep(1_000).then(() => ['lost'])]);
  tcp.close();
  await messages.close();
  await mail.close();
  await post.close();
  await redis.stop();
  return { lines, errors, code, ms, answers: given, jobs };
}

/** Another worker gets the job that its own was closed over, when its lock has run out. */
async function takenOver(queue: Queue, connection: object): Promise<void> {
  const { active } = await queue.getJobCounts('active');
  assert.equal(active, 1);
  const worker = new Worker('mail', async () => 'again', { connection, stalledInterval: 500 });
  await once(worker, 'completed');
  await worker.close();
}

function outcomes(lines: readonly string[], how: string): string[] {
  return WORK.filter((who) => lines.some((line) => line.startsWith(`${who} ${how}`)));
}

Logger.overrideLogger(false);
const stock = await run('stock');
console.log('stock Nest');
console.log(
  `  failed or cut off: ${WORK.filter((who) => !outcomes(stock.lines, 'done').includes(who)).join(', ')}`,
);
console.log(`  exit ${stock.code}`);
assert.notDeepEqual(outcomes(stock.lines, 'done'), WORK, 'the control must lose work');

for (const mode of ['plain', 'runHost']) {
  const { lines, errors, code, ms, answers, jobs } = await run(mode);
  console.log(
    `${mode}\n  done: ${outcomes(lines, 'done').join(', ')}\n  exit ${code} after ${ms} ms`,
  );
  console.log(`  ${JSON.stringify(jobs)}`);
  assert.deepEqual(outcomes(lines, 'done'), WORK, `${lines.join('\n')}\n${errors}`);
  // The bundler numbers classes.
  const scopes = lines.map((line) => line.replace(/Timers\d+/, 'Timers'));
  for (const who of WORK)
    assert.ok(scopes.includes(`${who} is ${SCOPES[who]}`), `${who}: its scope`);
  assert.equal(lines.filter((line) => line.endsWith(' done')).length, WORK.length);
  const closed = lines.indexOf('db closed');
  assert.ok(
    closed > Math.max(...WORK.map((who) => lines.indexOf(`${who} done`))),
    'db closed last',
  );
  assert.deepEqual(answers, ['request', 'tcp', 'redis']);
  assert.equal(code, 0);
  assert.ok(ms < WORK_MS + 3_000, 'a worker that waits for jobs must not hold up the stop');
  assert.deepEqual(jobs, {
    mail: { active: 0, completed: 1, failed: 0, waiting: 1 },
    post: { active: 0, completed: 1, failed: 0, waiting: 0, delayed: 0, paused: 0 },
  });
}
console.log('nothing was lost');

const stuck = await run('stuck');
const named = stuck.errors.match(/service background-work: stop: not finished in time: .*/)?.[0];
console.log(`stuck\n  ${named}\n  exit ${stuck.code} after ${stuck.ms} ms`);
assert.match(named ?? stuck.errors, /queue mail \(job 1\)/);
assert.match(named ?? '', /Timers\d*\.cron.*queue post \(job 1\)/);
assert.equal(stuck.code, 1);
assert.ok(stuck.ms < 5_000, 'what does not end must not hold the process');
assert.deepEqual((stuck.jobs as { mail: unknown }).mail, {
  active: 0,
  completed: 1,
  failed: 0,
  waiting: 0,
});
console.log('  its job was done by another worker');
