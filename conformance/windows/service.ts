// A service of Windows that writes down what happens to it, in the file named by its argument.
import { Host } from '@apix/hostx/core';
import { runWindowsService } from '@apix/hostx-os/winsvc';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , name, file] = process.argv as [string, string, string, string];
const say = (text: string): void => appendFileSync(file, `${text}\n`);
process.on('uncaughtExceptionMonitor', (error) => say(String(error.stack)));

let crash: (error: Error) => void = () => {};
const builder = Host.builder()
  .withShutdownTimeout('20s')
  .addStartupTask('slow start', () => sleep(2_500))
  .addService({
    name: 'work',
    start: (signal) =>
      new Promise<void>((resolve, reject) => {
        crash = reject;
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    stop: () => sleep(2_500),
  })
  .onStarted(() => say('started'))
  .onReload(() => say('reloaded'))
  .onStopping(() => say('stopping'))
  .onStopped(() => say('stopped'));
// The second reload is one too many.
let reloads = 0;
builder.onReload(() => {
  if (++reloads === 2) crash(new Error('crashed as asked'));
});

try {
  await runWindowsService(builder, { name });
  say('clean end');
} catch (error) {
  say(`failed: ${(error as Error).message}`);
  process.exitCode = 1;
}
