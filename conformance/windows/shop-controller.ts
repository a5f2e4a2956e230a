// Runs under Wine: the demo as a service. It is installed, started, reloaded and stopped, crashed,
// refused its lock, started once more, and removed; every status is written down.
import { installWindowsService, uninstallWindowsService } from '@apix/hostx-os/winsvc';
import { acquireInstanceLock } from '@apix/hostx-os/single';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ServiceControl } from './service-control.js';

/** The name that the demo's main.ts goes by. */
const NAME = 'shop';

/** As run.mjs laid it out; every path absolute, since a service begins in System32. */
const [, , main, environment, crash, crashFile, logging, events, lock, out] = process.argv as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const say = (text: string): void => appendFileSync(out, `${text}\n`);
/** run.mjs asks the shop all the time, from outside: under Wine, Node cannot connect to anything. */
const ANSWERED = /"Path":"\/v1\/products","Status":200/;

async function untilWritten(pattern: RegExp, from: number): Promise<string> {
  for (const end = Date.now() + 20_000; ;) {
    const text = existsSync(events) ? readFileSync(events, 'utf8').slice(from) : '';
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${String(pattern)} in the events`);
    await sleep(50);
  }
}

const written = (): number => readFileSync(events, 'utf8').length;

/** The level is another one when a request is no longer written down. */
async function untilQuiet(): Promise<void> {
  for (const end = Date.now() + 20_000; ;) {
    const before = written();
    await sleep(1_000);
    if (written() === before) return;
    if (Date.now() > end) throw new Error('the reload did not change the level');
  }
}

async function run(): Promise<void> {
  installWindowsService(NAME, process.execPath, {
    displayName: 'The shop',
    args: [`--env-file=${environment}`, '--import', pathToFileURL(crash).href, main],
    startType: 'manual',
    restartDelay: false,
  });
  say('installed');
  const service = ServiceControl.open(NAME, say);

  say('# start, reload, stop');
  await service.start();
  await service.until('RUNNING');
  say(await untilWritten(ANSWERED, 0));
  writeFileSync(logging, readFileSync(logging, 'utf8').replace('information', 'error'));
  service.control('paramchange');
  await untilQuiet();
  say('at level error a request writes nothing');
  const quiet = written();
  writeFileSync(logging, readFileSync(logging, 'utf8').replace('error', 'information'));
  service.control('paramchange');
  say(await untilWritten(/Reloaded in \d+ ms/, quiet));
  service.control('stop');
  await service.until('STOPPED');

  say('# start, crash');
  await service.start();
  await service.until('RUNNING');
  writeFileSync(crashFile, '');
  await service.until('STOPPED');

  say('# a second shop');
  const held = acquireInstanceLock(lock);
  await service.start();
  await service.until('STOPPED');
  held.release();

  say('# start, stop');
  await service.start();
  await service.until('RUNNING');
  say(await untilWritten(ANSWERED, written()));
  service.control('stop');
  await service.until('STOPPED');

  service.close();
  uninstallWindowsService(NAME);
  say('uninstalled');
}

run().then(
  () => say('done'),
  (error: Error) => {
    say(`FAILED ${error.stack}\n${String(error.cause)}`);
    process.exitCode = 1;
  },
);
