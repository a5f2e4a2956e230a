import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ShopProcess } from '../../apps/demo/tour/shop-process.js';
import type { Postgres } from './server.js';

const args = ['--processes', '2'];

/** The demo in two processes over one database: `npm start -- --processes 2` with DATABASE_URL. */
export async function demoInTwoProcesses(server: Postgres): Promise<void> {
  await assert.rejects(
    ShopProcess.start(process.cwd(), { args, settings: { DATABASE_URL: '' } }),
    /several processes need a database that they can share: set DATABASE_URL/,
  );
  await server.query('drop table if exists apix_cron_jobs');
  const shop = await ShopProcess.start(process.cwd(), {
    args,
    settings: { DATABASE_URL: server.url },
  });
  try {
    const http = (await shop.said(/REST +(\S+)/))[1]!;
    const ada = (await shop.said(/ADA=(\S+)/))[1]!;
    const grace = (await shop.said(/GRACE=(\S+)/))[1]!;
    const metrics = async (): Promise<string> => (await fetch(`${http}/metrics`)).text();
    while (!/process="1".*process="2"/s.test(await metrics())) await sleep(50);
    const order = {
      lines: [{ product: 'products/tea', quantity: 1 }],
      address: '1 Mill Lane, Bath',
    };
    const placed = await fetch(`${http}/v1/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada}`, 'content-type': 'application/json' },
      body: JSON.stringify(order),
    });
    assert.equal(placed.status, 200, await placed.clone().text());
    const { name } = (await placed.json()) as { readonly name: string };

    const over = new AbortController();
    const statuses = new Map<number, number>();
    const asking = (async () => {
      while (!over.signal.aborted) {
        const headers = { authorization: `Bearer ${grace}`, connection: 'close' };
        const { status } = await fetch(`${http}/v1/${name}`, { headers });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    })();
    shop.replaceProcesses();
    await shop.said(/All processes restarted/);
    over.abort();
    await asking;
    assert.deepEqual([...statuses.keys()], [200]);
    // Each process asks for a run when it starts; and there may be a tick on the minute.
    const [job] = await server.query(
      `select fence::int from apix_cron_jobs where job = 'stock-check'`,
    );
    const runs = job!['fence'] as number;
    assert.ok(runs >= 1);
    assert.equal(await shop.stop(), 0);
    process.stdout.write(
      `the demo in two processes: an order placed, ${statuses.get(200)!} of ${statuses.get(200)!} requests answered in a ` +
        `restart of all, ${runs} runs of its job\n`,
    );
  } catch (error) {
    console.error(shop.output);
    throw error;
  } finally {
    await shop.remove();
  }
}
