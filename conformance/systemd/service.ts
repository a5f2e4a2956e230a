// A service under systemd whose troubles its environment decides:
//   START_MS, STOP_MS   how long it takes to start and to stop
//   HOLD                a file for which its start, stop and reload wait, so that what they are told
//                       can be seen however slow the machine is
//   EXTEND=0            does not ask for more time
//   CRASH_MS            when it throws
//   SPIN_MS             when it blocks the event loop for good
//   SICK_MS             when it says that it is not healthy
//   RELOAD_MS           how long a reload takes
import { Host, consoleLogger } from '@apix/hostx/core';
import { bindSystemd } from '@apix/hostx-os/sdnotify';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const ms = (name: string): number => Number(process.env[name] ?? 0);
const hold = process.env['HOLD'];
const released = async (): Promise<void> => {
  if (hold === undefined) return;
  while (!existsSync(hold)) await sleep(50);
};
const begun = Date.now();
const isSick = (): boolean => ms('SICK_MS') > 0 && Date.now() - begun > ms('SICK_MS');

const builder = Host.builder().withLogger(consoleLogger());
bindSystemd(builder, { extendTimeouts: process.env['EXTEND'] !== '0', healthy: () => !isSick() });
builder.withShutdownTimeout('20s').addService({
  name: 'work',
  async start(signal) {
    if (ms('CRASH_MS') > 0) {
      await sleep(ms('CRASH_MS'));
      throw new Error('crashed as asked');
    }
    if (ms('SPIN_MS') > 0) {
      await sleep(ms('SPIN_MS'));
      for (;;) Date.now();
    }
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  },
  async ready() {
    await sleep(ms('START_MS'));
    await released();
  },
  async stop() {
    await sleep(ms('STOP_MS'));
    await released();
  },
});
builder.onReload(async () => {
  await sleep(ms('RELOAD_MS'));
  await released();
});

try {
  await builder.build().run();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
