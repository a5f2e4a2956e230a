import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { ClientProxyFactory, type RedisOptions, Transport } from '@nestjs/microservices';
import Bull from 'bull';
import { Queue } from 'bullmq';
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

/** How long work goes on after the signal: an app that does not wait has closed its database. */
const WORK_MS = 700;

interface Ending {
  readonly lines: readonly string[];
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
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.channel?.unref();
  const lines: string[] = [];
  const said = createInterface(child.stdout!);
  said.on('line', (line) => lines.push(line));
  const ended = once(child, 'close');
  // A timer may be the first to work.
  while (!lines.includes('cron begun')) await once(said, 'line');

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
  if (child.connected) child.send('finish');
  const [code] = (await ended) as [number | null];
  const ms = Date.now() - begun;
  const jobs = {
    mail: await mail.getJobCounts('active', 'completed', 'failed', 'waiting'),
    post: await post.getJobCounts(),
  };
  // A publisher whose subscriber is gone never hears of it.
  const given = await Promise.race([answers, sleep(1_000).then(() => ['lost'])]);
  tcp.close();
  messages.close();
  await mail.close();
  await post.close();
  await redis.stop();
  return { lines, code, ms, answers: given, jobs };
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
  const { lines, code, ms, answers, jobs } = await run(mode);
  console.log(
    `${mode}\n  done: ${outcomes(lines, 'done').join(', ')}\n  exit ${code} after ${ms} ms`,
  );
  console.log(`  ${JSON.stringify(jobs)}`);
  assert.deepEqual(outcomes(lines, 'done'), WORK, lines.join('\n'));
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
