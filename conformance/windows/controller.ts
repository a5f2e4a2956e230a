// Runs under Wine: installs a service, starts, reloads, stops, crashes and removes it, and writes
// down every status that the service control manager shows.
import { installWindowsService, uninstallWindowsService } from '@apix/hostx-os/winsvc';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceControl } from './service-control.js';

const [, , name, script, log, out] = process.argv as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const say = (text: string): void => appendFileSync(out, `${text}\n`);

async function main(): Promise<void> {
  installWindowsService(name, process.execPath, {
    displayName: 'apix conformance',
    description: 'A service that is put through its paces',
    args: [script, name, log],
    startType: 'manual',
    restartDelay: false,
  });
  say('installed');
  expectRefusal(
    () => installWindowsService(name, process.execPath),
    'a service with this name already exists',
  );

  const service = ServiceControl.open(name, say);
  for (const end of ['stop', 'crash'] as const) {
    say(`# start, reload, ${end}`);
    await service.start();
    await service.until('RUNNING');
    service.control('paramchange');
    await sleep(500);
    service.control(end === 'stop' ? 'stop' : 'paramchange');
    await service.until('STOPPED');
  }
  service.close();
  uninstallWindowsService(name);
  say('uninstalled');
  // It goes with its last process.
  for (
    const end = Date.now() + 20_000;
    refusal(() => uninstallWindowsService(name)).includes('being removed');
  ) {
    if (Date.now() > end) throw new Error('the service is never removed');
    await sleep(100);
  }
  expectRefusal(() => uninstallWindowsService(name), 'there is no service with this name');
}

function expectRefusal(work: () => void, text: string): void {
  const refused = refusal(work);
  if (!refused.includes(text)) throw new Error(`refused with "${refused}", not "${text}"`);
}

function refusal(work: () => void): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

main().then(
  () => say('done'),
  (error: Error) => {
    say(`FAILED ${error.stack}`);
    process.exitCode = 1;
  },
);
