import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { Redis } from 'ioredis';
import { firstValueFrom } from 'rxjs';
import { io } from 'socket.io-client';
import { messageClient } from './answers/message.mjs';
import { startApp } from './running-app.mjs';
import { startSupplier } from './supplier.mjs';

/** What is under way when SIGTERM comes: each asks the supplier, and then writes to the store. */
export const WORK = ['cron', 'event', 'grpc', 'job', 'message', 'request', 'websocket'];

/** What somebody waits for the answer of. */
const ANSWERED = ['grpc', 'message', 'request', 'websocket'];

/** How long work goes on after the signal: an app that does not wait has closed its store. */
const WORK_MS = 1_500;

/** How long an app may take after that. Stock Nest on Fastify waits for WebSockets for ever. */
const MOST_MS = 20_000;

const proto = join(import.meta.dirname, 'app/proto/shop/v1/orders.proto');

/** Ends the app with `work` under way, and says what became of each. */
export async function endWith(folder, work) {
  const supplier = await startSupplier();
  // There, as in tests, the host does not serve on for balancers, during which all would be done.
  const app = await startApp(folder, {
    SUPPLIER: supplier.url,
    REPORTS: work.includes('cron') ? 'on' : 'off',
    APP_ENVIRONMENT: 'Development',
  });
  const clients = openClients(app);
  const ledger = new Redis({ port: app.redis.port });
  try {
    const answers = {};
    for (const [name, ask] of Object.entries(clients.asks)) {
      if (!work.includes(name)) continue;
      answers[name] = 'lost';
      ask().then(
        (answer) => (answers[name] = answer),
        (error) => (answers[name] = `lost: ${error.message ?? error}`),
      );
    }
    await supplier.hasBeenAsked(work);
    const begun = performance.now();
    app.signal('SIGTERM');
    await sleep(WORK_MS);
    supplier.release();
    const tooLate = setTimeout(() => app.signal('SIGKILL'), MOST_MS);
    const code = await app.ended();
    clearTimeout(tooLate);
    const ms = Math.round(performance.now() - begun);
    // The answers left before their connections were closed.
    await sleep(100);
    const written = await ledger.lrange('ledger', 0, -1);
    const closed = written.indexOf('store closed');
    const done = work.filter((name) => {
      const at = written.indexOf(name);
      return at >= 0 && (closed < 0 || at < closed);
    });
    return { code, ms, done, answers, written, output: app.output };
  } finally {
    ledger.disconnect();
    await clients.close();
    supplier.close();
    await app.remove();
  }
}

/**
 * Fails unless all of it was finished, once, answered, before the store was closed, and the process
 * ended as `expected`: with 0 under the host, by the signal where Nest ends it.
 */
export function checkNothingLost(work, expected, ending) {
  const { code, ms, done, answers, written, output } = ending;
  const answered = work.filter((name) => ANSWERED.includes(name));
  assert.deepEqual(done, work, `written: ${written.join(', ')}\n${output}`);
  assert.equal(written.length, work.length + 1, `written: ${written.join(', ')}`);
  assert.equal(written.at(-1), 'store closed');
  for (const name of answered) assert.equal(answers[name], `${name} done`, name);
  assert.equal(code, expected, output);
  assert.ok(ms < WORK_MS + MOST_MS, `it took ${ms} ms`);
}

function openClients(app) {
  const { Orders } = loadPackageDefinition(loadSync(proto)).shop.v1;
  const grpc = new Client(`127.0.0.1:${app.grpcPort}`, credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = Orders.service.Get;
  const messages = messageClient(app.redis);
  const socket = io(app.url, { transports: ['websocket'], reconnection: false });
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const slowJob = JSON.stringify({ to: 'ada', name: 'slow' });
  return {
    asks: {
      request: async () => (await fetch(`${app.url}/api/orders/slow`)).text(),
      message: () => firstValueFrom(messages.send('orders.slow', {})),
      event: () => firstValueFrom(messages.emit('orders.shipped', {}), { defaultValue: 'sent' }),
      job: async () => (await fetch(`${app.url}/api/mails`, { ...post, body: slowJob })).text(),
      grpc: () =>
        new Promise((resolve, reject) => {
          const message = { id: 'slow' };
          grpc.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, (error) =>
            error === null ? resolve('grpc done') : reject(error),
          );
        }),
      websocket: async () => {
        if (!socket.connected) await once(socket, 'connect');
        const gone = once(socket, 'disconnect').then(([why]) => Promise.reject(new Error(why)));
        return Promise.race([socket.emitWithAck('slow', {}), gone]);
      },
    },
    async close() {
      grpc.close();
      socket.close();
      await messages.close();
    },
  };
}
