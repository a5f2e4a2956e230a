import { Host, serviceFunc } from '@apix/hostx/core';
import { untilAborted } from '@apix/contracts/internal';
import { describe, expect, it } from '@jest/globals';
import { HeldOrders } from './held-orders.js';

function hostThatSays(log: string[]) {
  return Host.builder()
    .addService(
      serviceFunc('work', async (signal) => {
        log.push('started');
        await untilAborted(signal);
      }),
    )
    .onReload(() => {
      log.push('reloaded');
      throw new Error('no file');
    })
    .onStopping((_, { reason }) => void log.push(reason))
    .build();
}

describe('an order of the service control manager before there is a host', () => {
  it.each(['service stop', 'system shutdown'])(
    'to stop keeps its services from starting: %s',
    async (reason) => {
      const log: string[] = [];
      const orders = new HeldOrders(() => {});
      orders.stop(reason);
      orders.reload();
      const host = hostThatSays(log);
      orders.passTo(host);
      await host.run({ signals: false });
      expect(log).toEqual([reason]);
    },
  );

  it('to reload is carried out once the host runs, and its error is reported', async () => {
    const log: string[] = [];
    let report = (_error: unknown): void => {};
    const reported = new Promise((resolve) => (report = resolve));
    const orders = new HeldOrders(report);
    orders.reload();
    orders.reload();
    const host = hostThatSays(log);
    orders.passTo(host);
    const run = host.run({ signals: false });
    expect(await reported).toMatchObject({ message: expect.stringContaining('no file') });
    orders.stop('service stop');
    await run;
    expect(log).toEqual(['started', 'reloaded', 'service stop']);
  });
});
