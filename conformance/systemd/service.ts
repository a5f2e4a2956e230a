// A service under systemd whose troubles its environment decides:
//   START_MS, STOP_MS   how long it takes to start and to stop
//   EXTEND=0            does not ask for more time
//   CRASH_MS            when it throws
//   SPIN_MS             when it blocks the event loop for good
//   SICK_MS             when it says that it is not healthy
//   RELOAD_MS           how long a reload takes
import { Host, consoleLogger } from '@apix/hostx/core';
import { bindSystemd } from '@apix/hostx-os/sdnotify';
import { setTimeout as sleep } from 'node:timers/promises';

const ms = (name: string): number => Number(process.env[name] ?? 0);
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
  ready: () => sleep(ms('START_MS')),
  stop: () => sleep(ms('STOP_MS')),
});
builder.onReload(() => sleep(ms('RELOAD_MS')));

try {
  await builder.build().run();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
