import type { Service } from '../service.js';
import { untilAborted } from '@apix/contracts/internal';
import { consoleLogger } from '../log/adapters.js';
import { Host } from './host-builder.js';

/** A process of its own for process-host.spec.ts; says on stdout what happens. */
function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

const worker: Service = {
  name: 'worker',
  async start(signal) {
    await untilAborted(signal);
  },
  stop: () => say('worker stopped'),
};

/** Holds the process like a socket that no one closes. */
function hold(): Promise<void> {
  return new Promise(() => setInterval(() => {}, 1_000));
}

const later =
  (fn: () => void): (() => void) =>
  () =>
    void setTimeout(fn, 10);
const scenarios: Readonly<Record<string, () => Promise<void>>> = {
  plain: () => builder().build().run(),
  unread: () =>
    builder()
      // As Nest's logger writes; a console swallows what fails.
      .withLogger({ information: say, warning: say, error: (_error, template) => say(template) })
      .onStarted(() => void setInterval(() => say('more'), 5))
      .build()
      .run(),
  many: () => {
    const many = builder();
    for (let at = 0; at < 12; at++) many.addService({ ...worker, name: `s${at}` }, { after: [] });
    return many.build().run();
  },
  slow: () =>
    builder()
      .addService({
        ...worker,
        name: 'slow',
        stop: () => new Promise((resolve) => setTimeout(resolve, 300)),
      })
      .build()
      .run(),
  stuck: () =>
    builder()
      .withLogger(consoleLogger({ ...console, info: () => {} }))
      .addService({ ...worker, name: 'stuck', stop: hold })
      .build()
      .run(),
  abandoned: () =>
    builder()
      .withShutdownTimeout(50)
      .addService({ ...worker, name: 'stuck', stop: hold })
      .build()
      .run(),
  caught: () =>
    builder()
      .withShutdownTimeout(50)
      .addService({ ...worker, name: 'stuck', stop: hold })
      .build()
      .run()
      .catch((error: Error) => say(`caught: ${error.message}`)),
  exception: () =>
    builder()
      .onStarted(
        later(() => {
          throw new Error('boom');
        }),
      )
      .build()
      .run(),
  rejection: () =>
    builder()
      .onStarted(later(() => void Promise.reject(new Error('boom'))))
      .build()
      .run(),
  reported: () =>
    builder()
      .onStarted(
        later(() => {
          setTimeout(() => say('still there'), 20);
          throw new Error('boom');
        }),
      )
      .build()
      .run({ uncaught: 'report' }),
  abortListener: () =>
    builder()
      .addService({
        name: 'bad',
        start: (signal) => {
          signal.addEventListener('abort', () => {
            throw new Error('boom');
          });
          return untilAborted(signal);
        },
      })
      .build()
      .run(),
};

function builder() {
  return Host.builder()
    .addService(worker)
    .onReload(() => say('reloaded'))
    .onStopped(() => say('all stopped'))
    .onStarted(() => say('ready'));
}

await scenarios[process.argv[2]!]!();
say('run resolved');
